"""Reports: results become blocks (sections/), blocks become text, LaTeX, HTML, ... (render/)."""
