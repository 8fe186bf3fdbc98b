"""Sheets to print, drawn as vectors in millimetres: a printer changes nothing about them."""
