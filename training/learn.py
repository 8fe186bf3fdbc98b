"""Train the network that says how far to believe each pixel about a piece.

What counts is the place that comes out: the weighted least squares for place and light are solved
inside the training (a differentiable layer, Amos & Kolter 2017), so the network learns belief, not
pictures. Run with torch; see README.md in this folder.
"""

import argparse
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

DILATIONS = (1, 2, 4, 8, 1)
CHANNELS = 20
SIDE = 80
SIZES = (36, 48, 60, 80)
SLOPES, RESIDUAL, WEIGHT = slice(-4, -2), -2, -1
"""Of a system's layers, after those of all its amounts of light."""

NUDGE_PX = 0.06
NEAR_MM = 0.03
FARTHEST_MM = 1.2
SEEN = 0.75


class Batch(NamedTuple):
    """`maps` (B, C, s, s) what the network sees, `system` (B, M + 4, s, s) what is solved with.

    M amounts of light, two slopes, residual and weight.
    """

    maps: Tensor
    system: Tensor
    per_noise: Tensor
    wanted_px: Tensor


class Examples(NamedTuple):
    maps: Tensor
    system: Tensor
    per_noise: Tensor
    sd: Tensor
    amounts: Tensor
    noise: Tensor
    jacobian: Tensor
    error_mm: Tensor
    visible: Tensor
    table: np.ndarray
    size: np.ndarray

    def at(self, numbers: np.ndarray) -> Batch:
        side = int(self.size[numbers].max())
        first = (SIDE - side) // 2
        cut = slice(first, first + side)
        wanted = torch.linalg.solve(self.jacobian[numbers], self.error_mm[numbers][..., None])
        return Batch(
            self.maps[numbers][..., cut, cut].float(),
            self.system[numbers][..., cut, cut].float(),
            self.per_noise[numbers][..., cut, cut].float(),
            wanted[..., 0],
        )


class Net(nn.Module):
    """As `vision/trust/net.py` runs it."""

    def __init__(self, inputs: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            nn.Conv2d(inputs if n == 0 else CHANNELS, CHANNELS, 3, padding=d, dilation=d)
            for n, d in enumerate(DILATIONS)
        )
        self.out = nn.Conv2d(CHANNELS, 2, 1)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        there = x[:, -1:]
        for n, layer in enumerate(self.layers):
            y = nn.functional.silu(layer(x)) * there
            x = y if n in (0, len(DILATIONS) - 1) else x + y
        belief, hides = self.out(x).unbind(1)
        return belief, hides


def read(folders: list[Path]) -> Examples:
    """The examples of all pictures in `folders`, as `examples.py` stores them."""
    parts: dict[str, list[np.ndarray]] = {}
    tables: list[str] = []
    for path in sorted(p for folder in folders for p in folder.glob("*.npz")):
        with np.load(path) as stored:
            for name in stored.files:
                parts.setdefault(name, []).append(stored[name])
            tables += [path.stem[:-4]] * len(stored["noise"])
    whole = {name: torch.tensor(np.concatenate(part)) for name, part in parts.items()}
    there = whole["maps"][:, -1].float()
    extent = torch.maximum(there.amax(1).sum(1), there.amax(2).sum(1)).numpy()
    size = np.array([next(s for s in SIZES if e <= s - 1 or s == SIDE) for e in extent])
    exact = {
        name: whole[name].float()
        for name in ("sd", "amounts", "noise", "jacobian", "error_mm", "visible")
    }
    return Examples(
        maps=whole["maps"],
        system=whole["system"],
        per_noise=whole["per_noise"],
        table=np.array(tables),
        size=size,
        **exact,
    )


def solved(system: Tensor, known: tuple[Tensor, Tensor, Tensor], said: tuple[Tensor, Tensor]):
    """(B, 2) steps in pixels, from the beliefs and what they take off the residuals."""
    sd, amounts, noise = known
    belief, hides = said
    count = len(system)
    weight = system[:, WEIGHT].flatten(1) * torch.exp(belief.flatten(1).clamp(-5, 3))
    residual = system[:, RESIDUAL].flatten(1) - hides.flatten(1) * noise[:, None]
    rows = system[:, : SLOPES.stop].flatten(2) * weight[:, None]
    prior = torch.cat([(noise[:, None] / sd) ** 2, torch.full((count, 2), 1e-9)], 1).double()
    right = (rows @ (weight * residual)[:, :, None])[..., 0].double()
    right = right - prior * torch.cat([amounts, torch.zeros(count, 2)], 1).double()
    normal = (rows @ rows.transpose(1, 2)).double() + torch.diag_embed(prior + 1e-6)
    unit = 1 / torch.sqrt(torch.diagonal(normal, dim1=1, dim2=2))
    scaled = normal * unit[:, :, None] * unit[:, None, :]
    answer = torch.linalg.solve(scaled, (right * unit)[..., None])[..., 0] * unit
    return answer[:, -2:].float()


def turned(batch: Batch, random: torch.Generator) -> Batch:
    """The same seen mirrored or turned, from a start that is a little elsewhere."""
    maps, system, per_noise = batch.maps.clone(), batch.system.clone(), batch.per_noise
    wanted = batch.wanted_px.clone()
    which = int(torch.randint(8, (1,), generator=random))
    for axis, (slope, place) in ((-1, (2, 17)), (-2, (3, 18))):
        if which & -axis:
            maps, system, per_noise = maps.flip(axis), system.flip(axis), per_noise.flip(axis)
            maps[:, [slope, place]] *= -1
            system[:, SLOPES.start - 1 - axis] *= -1
            wanted[:, -1 - axis] *= -1
    if which & 4:
        maps, system = maps.transpose(-1, -2), system.transpose(-1, -2)
        per_noise, wanted = per_noise.transpose(-1, -2), wanted.flip(1)
        channels = list(range(maps.shape[1]))
        channels[2:4], channels[17:19] = [3, 2], [18, 17]
        maps = maps[:, channels]
        amounts = system.shape[1] - 4
        system = system[:, [*range(amounts), *(amounts + n for n in (1, 0, 2, 3))]]
    nudge = torch.randn(len(wanted), 2, generator=random) * NUDGE_PX
    change = (system[:, SLOPES] * nudge[:, :, None, None]).sum(1)
    system, maps = system.clone(), maps.clone()
    system[:, RESIDUAL] -= change
    left = torch.sinh(maps[:, 0]) - change * per_noise
    maps[:, 0], maps[:, 1] = torch.asinh(left), left.clamp(-3, 3)
    return Batch(maps, system, per_noise, wanted - nudge)


def known(examples: Examples, numbers: np.ndarray) -> tuple[Tensor, Tensor, Tensor]:
    return examples.sd[numbers], examples.amounts[numbers], examples.noise[numbers]


def left_mm(net: Net, examples: Examples, numbers: np.ndarray, share: float) -> np.ndarray:
    """(n,) distance from the truth in mm after `share` of one step of `net`."""
    steps = []
    with torch.no_grad():
        for part in np.array_split(numbers, max(len(numbers) // 32, 1)):
            batch = examples.at(part)
            step = solved(batch.system, known(examples, part), net(batch.maps))
            steps.append(torch.einsum("nij,nj->ni", examples.jacobian[part], step))
    return np.hypot(*(share * torch.cat(steps) - examples.error_mm[numbers]).numpy().T)


def train(examples: Examples, numbers: np.ndarray, epochs: int, size: int, rate: float) -> Net:
    """A network trained on `numbers`, in batches of pieces of like size."""
    random = torch.Generator().manual_seed(0)
    torch.manual_seed(0)
    net = Net(examples.maps.shape[1])
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    per_mm = torch.sqrt(torch.linalg.det(examples.jacobian).abs())
    batches = sum(-(-int((examples.size[numbers] == s).sum()) // size) for s in SIZES)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=epochs * batches)
    for epoch in range(epochs):
        order = numbers[torch.randperm(len(numbers), generator=random).numpy()]
        parts = [
            like[i : i + size]
            for like in (order[examples.size[order] == s] for s in SIZES)
            for i in range(0, len(like), size)
        ]
        total = 0.0
        for n in torch.randperm(len(parts), generator=random):
            part = parts[int(n)]
            batch = turned(examples.at(part), random)
            said = net(batch.maps)
            step = solved(batch.system, known(examples, part), said)
            far = torch.sqrt(((step - batch.wanted_px) ** 2).sum(1) + NEAR_MM**2)
            counts = per_mm[part] * (examples.visible[part] >= SEEN)
            loss = (far * counts).mean() + 1e-3 * (said[1] ** 2).mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            total += float(loss.detach())
        print(f"epoch {epoch + 1} of {epochs}: loss {total / len(parts):.4f}", flush=True)
    return net


def store(net: Net, out: Path) -> None:
    arrays = {}
    for n, layer in enumerate([*net.layers, net.out]):
        kernel = layer.weight.detach().numpy()
        arrays[f"kernel{n}"] = kernel.reshape(len(kernel), -1).astype(np.float16)
        arrays[f"offset{n}"] = layer.bias.detach().numpy()
    np.savez_compressed(out, **arrays)


def said(name: str, far_mm: np.ndarray) -> str:
    middle, most = np.quantile(far_mm, [0.5, 0.95])
    return f"{name}: median {middle:.3f}, 95 % {most:.3f}, worst {far_mm.max():.2f} mm"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rendered", type=Path, nargs="*", default=[])
    parser.add_argument("--real", type=Path, required=True, help="examples of reference tables")
    parser.add_argument("--without", default="", help="a reference table to leave out and test on")
    parser.add_argument("--epochs", type=int, default=9)
    parser.add_argument(
        "--share", type=float, default=1.0, help="how much of a step to go in tests"
    )
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    examples = read([asked.real, *asked.rendered])
    reference = np.isin(examples.table, [p.stem[:-4] for p in asked.real.glob("*.npz")])
    start_mm = np.hypot(*examples.error_mm.numpy().T)
    left_out = examples.table == asked.without
    usable = (start_mm < FARTHEST_MM) & ~left_out
    numbers = np.concatenate([np.flatnonzero(usable & reference), np.flatnonzero(usable)])
    net = train(examples, numbers, asked.epochs, size=24, rate=2e-3)
    tested = np.flatnonzero(
        (left_out if asked.without else reference) & (examples.visible.numpy() >= SEEN)
    )
    print(said("before", start_mm[tested]))
    print(said("after", left_mm(net, examples, tested, asked.share)))
    if asked.out is not None:
        store(net, asked.out)


if __name__ == "__main__":
    main()
