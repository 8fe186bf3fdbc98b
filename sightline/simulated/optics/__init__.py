"""The simulated camera: perspective, distortion, height, shadow, blur and noise."""
