// Draws the charts of a page: <figure data-chart="name" data-plotly="address of plotly.js"> with its figure as JSON.
// Plotly is fetched once, when the first chart comes near the window. Where it does not come, the table opens instead.
(() => {
  "use strict";
  const NEAR = "300px";
  const PNG_SCALE = 2;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let loading = null;

  const load = (address) => {
    loading ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = address;
      script.addEventListener("load", () => resolve(window.Plotly));
      script.addEventListener("error", () => reject(new Error(`${address} did not load`)));
      document.head.append(script);
    });
    return loading;
  };

  // The figure with names of custom properties ("--accent") as the colours they stand for now.
  const paint = (value, isColor, style) => {
    if (Array.isArray(value)) return value.map((each) => paint(each, isColor, style));
    if (value && typeof value === "object") {
      return Object.fromEntries(
        Object.entries(value).map(([key, each]) => [key, paint(each, key.endsWith("color"), style)]),
      );
    }
    return isColor && typeof value === "string" && value.startsWith("--") ? style.getPropertyValue(value).trim() : value;
  };

  const painted = (chart) => {
    const style = getComputedStyle(document.documentElement);
    const figure = paint(chart.figure, false, style);
    figure.layout.font.family = style.getPropertyValue("--sans").trim();
    return figure;
  };

  // Plotly's own way goes through a blob image, which the content security policy does not know; a data one will do.
  const savePng = async (draw, name) => {
    const { width, height } = draw.getBoundingClientRect();
    const image = new Image();
    image.src = await window.Plotly.toImage(draw, { format: "svg", width, height });
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width * PNG_SCALE, height * PNG_SCALE];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = `${name}.png`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    }, "image/png");
  };

  const config = (plotly, name) => ({
    responsive: true,
    displaylogo: false,
    displayModeBar: true,
    // Only what is listed: the usual buttons would send the chart to another site.
    modeBarButtons: [
      [{ name: "png", title: "Save as PNG", icon: plotly.Icons.camera, click: (draw) => savePng(draw, name) }],
    ],
  });

  const draw = async (chart) => {
    try {
      const plotly = await load(chart.element.dataset.plotly);
      const { data, layout } = painted(chart);
      await plotly.react(chart.draw, data, layout, config(plotly, chart.element.dataset.chart));
      // The table says it better to those who hear the page.
      chart.draw.querySelectorAll(".main-svg").forEach((svg) => svg.setAttribute("aria-hidden", "true"));
      chart.isDrawn = true;
    } catch (error) {
      chart.draw.hidden = true;
      chart.element.querySelector("details").open = true;
      throw error;
    }
  };

  const charts = [...document.querySelectorAll("[data-chart]")].map((element) => ({
    element,
    draw: element.querySelector(".chart__draw"),
    figure: JSON.parse(element.querySelector("script").textContent),
    isDrawn: false,
  }));

  const watcher = new IntersectionObserver((seen) => {
    seen.filter((each) => each.isIntersecting).forEach((each) => {
      watcher.unobserve(each.target);
      draw(charts.find((chart) => chart.element === each.target));
    });
  }, { rootMargin: NEAR });

  charts.forEach((chart) => {
    // Its place is kept from the start, so that nothing jumps.
    chart.draw.style.height = `${chart.figure.layout.height}px`;
    watcher.observe(chart.element);
  });
  dark.addEventListener("change", () => charts.filter((chart) => chart.isDrawn).forEach(draw));
  // Paper has no scrolling: everything must be there.
  addEventListener("beforeprint", () => charts.filter((chart) => !chart.isDrawn).forEach(draw));
})();
