"""The bundled sample that `capdeck demo` opens a copy of."""
