"""What every room uses and no room owns: errors, arrays, files, languages."""
