"""Render a table that never was, with its truth, by path tracing: for learning, not for matches.

Woods, pieces, rims, lamps and the camera differ from seed to seed. Needs Blender as a module
(bpy); see README.md in this folder. Writes a table folder as Sightline loads it: board.toml,
camera.json, empty.jpg, teach.jpg and stills with their truth, and pose.json, the true pose.
"""

import argparse
import json
import math
import random
from pathlib import Path

import bpy
import cv2
import numpy as np
from mathutils import Matrix, Vector
from photograph import Sensor, clouds, coded
from things import PAINT_PX, PAINTS, WOODS, Colour, Paint, Piece, Placed, pieces_of, scattered

MM = 0.01  # a millimetre in Blender's units
WIDTH, HEIGHT = 1920, 1080
GRAIN_PX = 512
BOARD_SHARE = 0.58
"""Of the picture's width; what is beside it is left black."""

LAMPS = ("panels", "bulbs", "window", "spot", "mixed")


class Studio:
    """The room: board, border, floor, camera and lamps, ready to be photographed."""

    def __init__(self, seed: int, samples: int, out: Path) -> None:
        self.dice = random.Random(seed)
        self.out = out
        self._noise = np.random.default_rng(seed)
        self.game = self.dice.choice(["qsquare", "qsquare", "carrom"])
        self.surface = 1016.0 if self.game == "qsquare" else 740.0
        self.border, self.rise = self.dice.uniform(45, 80), self.dice.uniform(14, 24)
        self.pieces = pieces_of(self.dice, self.game)
        self._sensor = Sensor(self.dice, self._noise)
        self._lamps: list[bpy.types.Object] = []
        self._standing: list[bpy.types.Object] = []
        self._start(samples)
        self._build_board()
        self._meshes = [self._lathe(piece) for piece in self.pieces]
        self._aim()

    def _start(self, samples: int) -> None:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self._scene = bpy.context.scene
        self._scene.render.engine = "CYCLES"
        cycles = self._scene.cycles
        cycles.device, cycles.samples = "CPU", samples
        cycles.use_adaptive_sampling = False
        cycles.use_denoising, cycles.denoising_quality = True, "FAST"
        cycles.denoising_prefilter = "FAST"
        cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 3, 2, 2
        cycles.caustics_reflective = False
        cycles.sample_clamp_indirect = 8
        render = self._scene.render
        render.resolution_x, render.resolution_y = WIDTH, HEIGHT
        render.use_persistent_data = True
        render.use_border = True
        render.border_min_x, render.border_max_x = 0.5 - BOARD_SHARE / 2, 0.5 + BOARD_SHARE / 2
        render.border_min_y, render.border_max_y = 0, 1
        render.image_settings.file_format = "OPEN_EXR"
        render.image_settings.color_depth = "32"
        self._scene.view_settings.view_transform = "Raw"
        self._scene.world = bpy.data.worlds.new("room")
        self._scene.world.use_nodes = True

    def _link(self, name: str, mesh: bpy.types.Mesh, material: bpy.types.Material) -> None:
        mesh.materials.append(material)
        self._scene.collection.objects.link(bpy.data.objects.new(name, mesh))

    def _material(self, name: str, rough: float) -> bpy.types.Material:
        material = bpy.data.materials.new(name)
        material.use_nodes = True
        material.node_tree.nodes["Principled BSDF"].inputs["Roughness"].default_value = rough
        return material

    def _wood(
        self,
        material: bpy.types.Material,
        colours: tuple[Colour, Colour],
        stretch: tuple[float, float],
        painted: dict[str, np.ndarray] | None = None,
        coat: float = 0.0,
    ) -> None:
        """Grain, drawn beforehand; `stretch` says how many waves there are each way."""
        tree = material.node_tree
        bsdf = tree.nodes["Principled BSDF"]
        side = PAINT_PX if painted else GRAIN_PX
        share = np.clip((clouds(self._noise, side, stretch, 6) - 0.35) / 0.33, 0, 1)[..., None]
        codes = (1 - share) * np.float32(colours[0]) + share * np.float32(colours[1])
        for colour, mask in (painted or {}).items():
            paint = np.float32(PAINTS[colour][0])
            codes += mask[..., None] * (paint - codes)
        image = _image(material.name, coded(codes), data=False)
        self._textured(tree, image, bsdf.inputs["Base Color"])
        bsdf.inputs["Coat Weight"].default_value = coat
        bsdf.inputs["Coat Roughness"].default_value = self.dice.uniform(0.03, 0.25)

    def _textured(
        self, tree: bpy.types.NodeTree, image: bpy.types.Image, what: bpy.types.NodeSocket
    ) -> None:
        texture = tree.nodes.new("ShaderNodeTexImage")
        texture.image, texture.extension = image, "EXTEND"
        place = tree.nodes.new("ShaderNodeTexCoord")
        tree.links.new(place.outputs["UV"], texture.inputs["Vector"])
        tree.links.new(texture.outputs["Color"], what)

    def _blotch(self, material: bpy.types.Material, name: str) -> None:
        """The gloss called `name` differs from place to place, as where hands polish a board."""
        amount = material.node_tree.nodes["Principled BSDF"].inputs[name]
        waves = self.dice.uniform(2, 12)
        spread = self.dice.uniform(0.5, 3)
        cloud = clouds(self._noise, GRAIN_PX, (waves, waves), 5)
        rough = np.clip(amount.default_value * (1 + spread * (cloud - 0.5)), 0.02, 1)
        image = _image(f"{material.name}-{name}", np.repeat(rough[..., None], 3, axis=2), data=True)
        self._textured(material.node_tree, image, amount)

    def _flat(self, name: str, box: Colour, z: float, material: bpy.types.Material) -> None:
        x0, y0, x1, y1 = box
        mesh = bpy.data.meshes.new(name)
        corners = [(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)]
        mesh.from_pydata([[c * MM for c in corner] for corner in corners], [], [(0, 1, 2, 3)])
        layer = mesh.uv_layers.new()
        for loop, uv in enumerate([(0, 0), (1, 0), (1, 1), (0, 1)]):
            layer.data[loop].uv = uv
        self._link(name, mesh, material)

    def _block(self, name: str, box: Colour, material: bpy.types.Material) -> None:
        x0, y0, x1, y1 = box
        mesh = bpy.data.meshes.new(name)
        corners = [(x, y, z) for z in (-8, self.rise) for y in (y0, y1) for x in (x0, x1)]
        faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
        mesh.from_pydata([[c * MM for c in corner] for corner in corners], [], faces)
        self._link(name, mesh, material)

    def _build_board(self) -> None:
        half, scale = self.surface / 2, self.surface / 1016
        self.paint = Paint(self.surface, self.dice.choice([2.0, 2.5, 3.0, 3.0]))
        base = half - 120 * scale
        for name, points in {
            "home-S": [[-half, -base], [half, -base]],
            "home-N": [[-half, base], [half, base]],
            "home-W": [[-base, -half], [-base, half]],
            "home-E": [[base, -half], [base, half]],
        }.items():
            self.paint.line(name, points, "black")
        for name, reach, colour in (("central", 150, "black"), ("dead", 132, "red")):
            r = reach * scale
            self.paint.line(name, [[-r, -r], [r, -r], [r, r], [-r, r], [-r, -r]], colour)
        if self.dice.random() < 0.5:
            self.paint.circle("ring", 60.0, "red")
        board = self._material("board", self.dice.uniform(0.2, 0.5))
        along = (4, 60) if self.dice.random() < 0.7 else (50, 5)
        coat = self.dice.choice([0.0, 0.3, 1.0])
        self._wood(board, self.dice.choice(WOODS), along, self.paint.masks, coat)
        self._blotch(board, "Roughness")
        self._blotch(board, "Coat Roughness")
        self._flat("board", (-half, -half, half, half), 0, board)
        frame = self._material("frame", 0.4)
        shade = self.dice.uniform(0.3, 1.5)
        brown = [shade * c for c in (0.15, 0.06, 0.025)]
        frame.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*brown, 1)
        out = half + self.border
        sides = [
            (-out, -out, out, -half),
            (-out, half, out, out),
            (-out, -half, -half, half),
            (half, -half, out, half),
        ]
        for n, box in enumerate(sides):
            self._block(f"frame{n}", box, frame)
        floor = self._material("floor", 0.5)
        gray = [self.dice.uniform(0.05, 0.15)] * 3
        floor.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*gray, 1)
        self._flat("floor", (-4000, -4000, 4000, 4000), -12, floor)
        self._put_fiducials()

    def _put_fiducials(self) -> None:
        self.fiducial_mm = round(min(40, self.border - 8), 1)
        self.fiducials: list[tuple[float, float, float]] = []
        marks = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
        pad, side = 24, 192
        for n, (sx, sy) in enumerate([(-1, -1), (1, -1), (1, 1), (-1, 1)]):
            mark = cv2.aruco.generateImageMarker(marks, n, side, borderBits=1)
            mark = cv2.copyMakeBorder(mark, *[pad] * 4, cv2.BORDER_CONSTANT, value=255)
            codes = np.repeat(mark[::-1, :, None] / 255 * 0.75 + 0.02, 3, axis=2)
            material = self._material(f"mark{n}", 0.8)
            tree = material.node_tree
            texture = tree.nodes.new("ShaderNodeTexImage")
            texture.image, texture.interpolation = _image(f"mark{n}", codes, False), "Closest"
            bsdf = tree.nodes["Principled BSDF"]
            tree.links.new(texture.outputs[0], bsdf.inputs["Base Color"])
            middle = self.surface / 2 + self.border / 2
            x, y, z = sx * middle, sy * middle, self.rise + 0.2
            half = self.fiducial_mm * (side + 2 * pad) / side / 2
            self._flat(f"mark{n}", (x - half, y - half, x + half, y + half), z, material)
            self.fiducials.append((x, y, z))

    def _lathe(self, piece: Piece, steps: int = 160) -> bpy.types.Mesh:
        profile, closed = piece.profile()
        count = len(profile)
        turns = np.arange(steps) * 2 * math.pi / steps
        points = [
            (r * math.cos(a) * MM, r * math.sin(a) * MM, z * MM) for a in turns for r, z in profile
        ]
        faces = []
        for i in range(steps):
            j = (i + 1) % steps
            for k in range(count if closed else count - 1):
                after = (k + 1) % count
                faces.append((i * count + k, i * count + after, j * count + after, j * count + k))
        mesh = bpy.data.meshes.new(piece.kind + piece.colour)
        mesh.from_pydata(points, [], faces)
        mesh.validate()
        layer, reach = mesh.uv_layers.new(), piece.diameter * MM
        for loop in mesh.loops:
            x, y, _ = mesh.vertices[loop.vertex_index].co
            layer.data[loop.index].uv = (0.5 + x / reach, 0.5 + y / reach)
        for face in mesh.polygons:
            face.use_smooth = True
        mesh.set_sharp_from_angle(angle=math.radians(40))
        material = self._material(mesh.name, piece.rough)
        bsdf = material.node_tree.nodes["Principled BSDF"]
        if piece.grain:
            shades = [c * 0.85 for c in piece.paint], [min(1, c * 1.12) for c in piece.paint]
            self._wood(material, shades, (3, 20), coat=piece.coat)
        else:
            bsdf.inputs["Base Color"].default_value = (*piece.paint, 1)
            bsdf.inputs["Coat Weight"].default_value = piece.coat
        mesh.materials.append(material)
        return mesh

    def _aim(self) -> None:
        dice = self.dice
        self.focal = dice.uniform(1000, 1500)
        away = self.focal * (self.surface + 2 * self.border) / dice.uniform(880, 1000)
        tilt, bearing = math.radians(dice.uniform(0, 12)), dice.uniform(0, 2 * math.pi)
        out = math.sin(tilt)
        eye = Vector((out * math.cos(bearing), out * math.sin(bearing), math.cos(tilt))) * away
        turn = math.radians(dice.choice([0, 0, 0, 0, 180]) + dice.uniform(-3, 3))
        ahead = (Vector((dice.uniform(-20, 20), dice.uniform(-15, 15), 0)) - eye).normalized()
        right = ahead.cross(Vector((math.sin(turn), math.cos(turn), 0))).normalized()
        self._pose = Matrix((right, right.cross(ahead), -ahead)).transposed().to_4x4()
        self._pose.translation = eye * MM
        self.centre = (
            WIDTH / 2 - 0.5 + dice.uniform(-8, 8),
            HEIGHT / 2 - 0.5 + dice.uniform(-8, 8),
        )
        lens = bpy.data.cameras.new("camera")
        lens.sensor_fit, lens.sensor_width = "HORIZONTAL", 36
        lens.lens = self.focal * 36 / WIDTH
        lens.shift_x = -(self.centre[0] - (WIDTH / 2 - 0.5)) / WIDTH
        lens.shift_y = (self.centre[1] - (HEIGHT / 2 - 0.5)) / WIDTH
        lens.clip_start, lens.clip_end = 0.1, 1e5
        camera = bpy.data.objects.new("camera", lens)
        camera.matrix_world = self._pose
        self._scene.collection.objects.link(camera)
        self._scene.camera = camera

    def _lamp(self, kind: str, at: Colour, power: float, size: Colour, colour: Colour) -> None:
        lamp = bpy.data.lights.new("lamp", kind)
        lamp.energy, lamp.color = power, colour
        if kind == "AREA":
            lamp.shape, lamp.size, lamp.size_y = "RECTANGLE", size[0] * MM, size[1] * MM
        else:
            lamp.shadow_soft_size = size[0] * MM
        if kind == "SPOT":
            lamp.spot_size, lamp.spot_blend = math.radians(self.dice.uniform(60, 110)), 0.6
        thing = bpy.data.objects.new("lamp", lamp)
        thing.location = Vector(at) * MM
        thing.rotation_euler = (-Vector(at)).normalized().to_track_quat("-Z", "Y").to_euler()
        self._scene.collection.objects.link(thing)
        self._lamps.append(thing)

    def light(self, kind: str) -> None:
        """Put the lamps of `kind` where these are wont to be; others go."""
        for lamp in self._lamps:
            bpy.data.objects.remove(lamp)
        self._lamps.clear()
        self._hang(kind)

    def _hang(self, kind: str) -> None:
        any_ = self.dice.uniform
        warm = any_(-0.12, 0.15)
        white = (1 + warm, 1, 1 - warm * 1.2)
        around = self._scene.world.node_tree.nodes["Background"].inputs[1]
        around.default_value = any_(0.01, 0.08)
        if kind == "panels":
            for _ in range(self.dice.choice([2, 3, 4])):
                at = any_(-1500, 1500), any_(-1500, 1500), any_(1900, 2600)
                self._lamp("AREA", at, 900, (any_(300, 1200), any_(150, 600)), white)
        elif kind == "bulbs":
            for _ in range(self.dice.choice([1, 2, 3])):
                at = any_(-1300, 1300), any_(-1300, 1300), any_(1400, 2300)
                self._lamp("POINT", at, any_(250, 750), (any_(30, 90),), white)
        elif kind == "window":
            bearing, away = any_(0, 2 * math.pi), any_(1300, 2600)
            at = away * math.cos(bearing), away * math.sin(bearing), any_(700, 1500)
            self._lamp("AREA", at, 1800, (any_(600, 1500), any_(700, 1400)), (0.92, 0.97, 1.05))
            around.default_value = any_(0.05, 0.3)
        elif kind == "spot":
            bearing, away = any_(0, 2 * math.pi), any_(200, 1300)
            at = away * math.cos(bearing), away * math.sin(bearing), any_(1200, 2200)
            self._lamp("SPOT", at, 1500, (any_(20, 90),), white)
            if self.dice.random() < 0.5:
                at = any_(-1500, 1500), any_(-1500, 1500), 2400
                self._lamp("AREA", at, 250, (800, 500), white)
        else:
            self._hang("window")
            at = any_(-1200, 1200), any_(-1200, 1200), any_(1700, 2400)
            kind = "AREA" if self.dice.random() < 0.5 else "POINT"
            self._lamp(kind, at, any_(200, 900), (any_(40, 600), 300), white)

    def place(self, placed: Placed) -> None:
        """Stand pieces where `placed` says: (number of the piece, x, y) in mm; others go."""
        for thing in self._standing:
            bpy.data.objects.remove(thing)
        self._standing.clear()
        for piece, x, y in placed:
            thing = bpy.data.objects.new("piece", self._meshes[piece])
            thing.location = (x * MM, y * MM, 0)
            thing.rotation_euler = (0, 0, self.dice.uniform(0, 2 * math.pi))
            self._scene.collection.objects.link(thing)
            self._standing.append(thing)

    def shoot(self, name: str, placed: Placed, lamps: str, noise: float | None = None) -> None:
        """Photograph the table as a camera would, and write the truth of what stands on it."""
        self.light(lamps)
        self.place(placed)
        path = self.out / name
        self._sensor.take(self._render(path.with_suffix(".exr")), path, noise)
        truth = [
            {
                "kind": self.pieces[k].kind,
                "colour": self.pieces[k].colour,
                "x": round(x, 3),
                "y": round(y, 3),
                "visible": 1.0,
            }
            for k, x, y in placed
        ]
        if truth:
            path.with_suffix(".json").write_text(
                json.dumps({"pieces": truth, "line_tests": [], "hand": False})
            )

    def _render(self, exr: Path) -> np.ndarray:
        self._scene.render.filepath = str(exr)
        bpy.ops.render.render(write_still=True)
        loaded = bpy.data.images.load(str(exr))
        flat = np.empty(WIDTH * HEIGHT * 4, dtype=np.float32)
        loaded.pixels.foreach_get(flat)
        bpy.data.images.remove(loaded)
        exr.unlink()
        return flat.reshape(HEIGHT, WIDTH, 4)[::-1, :, 2::-1].copy()

    def describe(self) -> None:
        """Write board.toml, camera.json and pose.json."""
        text = [
            f'game = "{self.game}"\nname = "rendered"\nunits = "mm"\n',
            f"[surface]\nwidth = {self.surface:.1f}\nheight = {self.surface:.1f}\n",
            f"[border]\nwidth = {self.border:.2f}\nheight = {self.rise:.2f}\n",
            *self.paint.text,
        ]
        for piece in self.pieces:
            shape = "ring" if piece.hole else "disc"
            hole = f"hole = {piece.hole}\n" if piece.hole else ""
            rgb = [int(255 * c**0.45) for c in piece.paint]
            text.append(
                f'[[piece]]\nkind = "{piece.kind}"\ncolour = "{piece.colour}"\nshape = "{shape}"\n'
                f"diameter = {piece.diameter}\nthickness = {piece.thickness}\n{hole}rgb = {rgb}\n"
            )
        for n, (x, y, z) in enumerate(self.fiducials):
            text.append(
                f'[[fiducial]]\ndictionary = "DICT_4X4_50"\nid = {n}\ncentre = [{x:.3f}, {y:.3f}]\n'
                f"z = {z:.2f}\nsize = {self.fiducial_mm:.2f}\nyaw = 0.0\n"
            )
        (self.out / "board.toml").write_text("\n".join(text))
        cx, cy = self.centre
        lens = {"width": WIDTH, "height": HEIGHT, "fx": self.focal, "fy": self.focal}
        lens |= {"cx": cx, "cy": cy, "dist": [0.0] * 5}
        (self.out / "camera.json").write_text(json.dumps(lens))
        pose = [[*row[:3], row[3] / MM] for row in self._pose]
        (self.out / "pose.json").write_text(
            json.dumps({"pose": pose, "f": self.focal, "cx": cx, "cy": cy})
        )


def _image(name: str, codes: np.ndarray, data: bool) -> bpy.types.Image:
    height, width = codes.shape[:2]
    image = bpy.data.images.new(name, width, height, is_data=data)
    pixels = np.ones((height, width, 4), dtype=np.float32)
    pixels[..., :3] = codes
    image.pixels.foreach_set(pixels.ravel())
    image.update()
    return image


def taught(studio: Studio) -> Placed:
    """Two of each kind, well apart."""
    scale, near = studio.surface / 1016, studio.dice.uniform

    def place(i: int, j: int) -> tuple[float, float]:
        return ((i - 1.5) * 110 + near(-8, 8)) * scale, (85 + 60 * j + near(-8, 8)) * scale

    return [(i, *place(i, j)) for i in range(len(studio.pieces)) for j in range(2)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--stills", type=int, default=4)
    parser.add_argument("--samples", type=int, default=8, help="light paths a pixel")
    asked = parser.parse_args()
    (asked.out / "stills").mkdir(parents=True, exist_ok=True)
    studio = Studio(asked.seed, asked.samples, asked.out)
    studio.describe()
    usual = studio.dice.choice(["panels", "bulbs", "window"])
    studio.shoot("empty.jpg", [], usual, noise=1.0)
    studio.shoot("teach.jpg", taught(studio), usual, noise=1.0)
    kinds = studio.dice.sample(LAMPS, len(LAMPS))
    for n in range(asked.stills):
        count = studio.dice.randint(140, 170)
        studio.shoot(
            f"stills/{n + 1:03d}.jpg",
            scattered(studio.dice, studio.pieces, studio.surface, count),
            kinds[n % len(kinds)],
        )


if __name__ == "__main__":
    main()
