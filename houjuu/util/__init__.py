"""Tools that every room uses: errors, arrays, files, languages."""
