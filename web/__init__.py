"""The page on which houjuu runs in a browser: `build` writes it, `runtime` fetches Pyodide."""
