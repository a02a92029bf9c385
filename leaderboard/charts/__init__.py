"""Charts as plain data: a Plotly figure, the same as a table, and a sentence where there is nothing to draw. Pure.

Figures are dictionaries in the schema of Plotly, drawn in the browser by the vendored plotly.js. Colours are names of
custom properties (`--accent`), which the script looks up, so that a figure is the same in light and dark.
"""
