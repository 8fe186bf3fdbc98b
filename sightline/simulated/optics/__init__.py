"""The simulated camera: pictures with true perspective, distortion, height, shadow, blur and noise."""
