"""The check of the scripts of the pages: prettier, biome and tsc, by `npm run check`."""
