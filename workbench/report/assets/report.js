// Draws the plots of a report and sorts its tables. All data is in the page; nothing is loaded.
(function () {
  "use strict";
  var root = document.documentElement;
  root.classList.add("js");
  var plots = JSON.parse(document.getElementById("plot-data").textContent);
  var HEIGHT = 260;
  // Half of a sheet of paper, whose width a script is not told.
  var PRINTED = 440;
  var drawn = [], printing = false;

  function room(figure) {
    return printing ? PRINTED : Math.max(figure.clientWidth - 28, 240);
  }

  function colour(name) {
    return getComputedStyle(root).getPropertyValue("--" + name).trim();
  }

  function number(value) {
    if (value == null) return "–";
    var size = Math.abs(value);
    var digits = size === 0 || size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 3;
    return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  }

  function tick(value) {
    if (value == null) return "";
    if (Math.abs(value) >= 1e6) return (value / 1e6).toLocaleString("en") + " M";
    return value.toLocaleString("en", { maximumFractionDigits: 4 });
  }

  function two(value) {
    return (value < 10 ? "0" : "") + value;
  }

  function moment(seconds) {
    var whole = Math.max(0, Math.round(seconds));
    return Math.floor(whole / 3600) + ":" + two(Math.floor(whole / 60) % 60) + ":" + two(whole % 60);
  }

  // Hours and minutes; seconds only where a reader has gone so near.
  function hours(seconds) {
    return Math.round(seconds) % 60 ? moment(seconds) : moment(seconds).slice(0, -3);
  }

  function minutes(seconds) {
    var whole = Math.max(0, Math.round(seconds));
    return Math.floor(whole / 60) + ":" + two(whole % 60);
  }

  function percent(nines) {
    var share = 100 * (1 - Math.pow(10, -nines));
    // Two digits behind the nines; none that say nothing.
    return Number(share.toFixed(Math.max(1, Math.ceil(nines - 1e-9)))) + " %";
  }

  // Percentiles that have a tick: more of them for who looks closer.
  function nines(u, axis, min, max) {
    var shares = max - min < 1.5 ? [0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.995] : [0.5, 0.9, 0.99];
    var ticks = shares.map(function (share) { return -Math.log10(1 - share); });
    for (var more = 3; more < 10; more++) ticks.push(more);
    return ticks.filter(function (one) { return one >= min - 1e-9 && one <= max + 1e-9; });
  }

  // Ticks of an axis by powers of ten.
  function powers(u, axis, min, max) {
    var span = Math.log10(max / min), splits = [];
    var steps = span < 1.6 ? [1, 2, 3, 5, 7] : span < 3 ? [1, 2, 5] : [1];
    for (var decade = Math.floor(Math.log10(min)); decade <= Math.log10(max); decade++) {
      steps.forEach(function (step) {
        var at = Number((step * Math.pow(10, decade)).toPrecision(6));
        if (at >= min && at <= max) splits.push(at);
      });
    }
    return splits;
  }

  function all(u, splits) {
    return splits;
  }

  function durations(u, axis, min, max) {
    var steps = max - min > 2.5 ? [1] : max - min > 1.2 ? [1, 3] : [1, 2, 5];
    var splits = [];
    for (var decade = Math.floor(min) - 1; decade <= max; decade++) {
      steps.forEach(function (step) {
        var at = decade + Math.log10(step);
        if (at >= min && at <= max) splits.push(at);
      });
    }
    return splits;
  }

  // The horizontal axis of each kind of plot: title, ticks, how a value is told.
  var ACROSS = {
    "time": {
      label: "time from the begin (min:s)",
      incrs: [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 14400, 21600, 43200, 86400],
      text: moment,
      tick: minutes
    },
    "percentile": { label: "percentile", splits: nines, text: percent },
    "duration": {
      label: "time in ms",
      splits: durations,
      text: function (value) { return number(Math.pow(10, value)); },
      tick: function (value) { return tick(Number(Math.pow(10, value).toPrecision(2))); }
    },
    "names": { label: "", space: 90 }
  };

  function across(plot) {
    var kind = Object.assign({}, ACROSS[plot.x]);
    if (plot.x === "time" && plot.xs[plot.xs.length - 1] >= 3600) {
      kind.label = "time from the begin (h:min)";
      kind.tick = hours;
    }
    if (plot.x === "names") {
      kind.text = function (value) { return plot.names[Math.round(value)] || ""; };
      kind.splits = function (u, axis, min, max) {
        var longest = plot.names.reduce(function (most, one) { return Math.max(most, one.length); }, 1);
        var width = Math.max(u.bbox.width / devicePixelRatio, 1);
        var room = Math.max(1, Math.ceil((max - min) * (longest * 7 + 14) / width));
        return plot.xs.filter(function (x, at) { return x >= min && x <= max && at % room === 0; });
      };
    }
    return kind;
  }

  function linear(filled) {
    return function (u, min, max) {
      if (min == null || max == null) return [0, 1];
      if (max <= 0) return [Math.min(min, 0), 1];
      var space = (max - min) * 0.15 || max * 0.05;
      // What changes little is shown closer, unless its height has a meaning.
      if (!filled && min > 0.6 * max && max - min < 0.4 * max) return [Math.max(0, min - space), max + space];
      return [Math.min(0, min), max * 1.06];
    };
  }

  function logarithmic(u, min, max) {
    if (!(min > 0) || !(max > 0)) return [0.1, 1];
    return [min / 1.15, max * 1.15];
  }

  function axis(unit, scale, side) {
    return {
      scale: scale,
      side: side,
      label: unit,
      labelSize: 18,
      labelFont: "12px system-ui, sans-serif",
      font: "12px system-ui, sans-serif",
      labelGap: 2,
      gap: 4,
      stroke: colour("quiet"),
      grid: { show: side === 3, stroke: colour("grid"), width: 1 },
      ticks: { show: false },
      values: function (u, values) { return values.map(tick); },
      size: function (u, values) {
        var longest = (values || []).reduce(function (most, one) { return Math.max(most, (one || "").length); }, 2);
        return 14 + longest * 7;
      }
    };
  }

  function line(plot, one) {
    var stroke = colour("c" + (one.colour > 8 ? (one.colour - 1) % 8 + 1 : one.colour));
    var form = one.form || "plain";
    var filled = form === "filled" || form === "steps";
    return {
      label: one.name,
      scale: one.right ? "right" : "left",
      stroke: stroke,
      width: 1.6,
      dash: one.colour > 8 ? [6, 3] : undefined,
      fill: filled ? stroke + "2e" : undefined,
      show: !one.hidden,
      spanGaps: form !== "steps",
      paths: form === "steps" ? uPlot.paths.stepped({ align: 1 }) : undefined,
      points: { show: form === "points" || plot.xs.length < 3, size: 6, fill: stroke },
      value: function (u, value) { return number(value); }
    };
  }

  function marks(plot) {
    return function (u) {
      var last = -Infinity;
      u.ctx.save();
      u.ctx.strokeStyle = colour("quiet");
      u.ctx.fillStyle = colour("quiet");
      u.ctx.font = 11 * devicePixelRatio + "px system-ui, sans-serif";
      u.ctx.textAlign = "left";
      u.ctx.textBaseline = "alphabetic";
      u.ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
      (plot.marks || []).forEach(function (mark) {
        var at = u.valToPos(mark.at, "x", true);
        if (at <= u.bbox.left || at > u.bbox.left + u.bbox.width) return;
        u.ctx.beginPath();
        u.ctx.moveTo(at, u.bbox.top);
        u.ctx.lineTo(at, u.bbox.top + u.bbox.height);
        u.ctx.stroke();
        var width = u.ctx.measureText(mark.text).width;
        var right = at + 5 * devicePixelRatio;
        // A name that would run into the one before it, or out of the plot, is left out.
        if (right < last || right + width > u.bbox.left + u.bbox.width) return;
        u.ctx.fillText(mark.text, right, u.bbox.top + 11 * devicePixelRatio);
        last = right + width + 8 * devicePixelRatio;
      });
      u.ctx.restore();
    };
  }

  function heat(plot, under) {
    var map = plot.heat, most = 1, counts = {};
    map.cells.forEach(function (cell) {
      most = Math.max(most, cell[2]);
      counts[cell[0] + "/" + cell[1]] = cell[2];
    });
    function draw(u) {
      var tone = colour("heat");
      u.ctx.save();
      u.ctx.beginPath();
      u.ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
      u.ctx.clip();
      map.cells.forEach(function (cell) {
        var x = plot.xs[cell[0]];
        var left = Math.floor(u.valToPos(x, "x", true)), right = Math.floor(u.valToPos(x + map.width, "x", true));
        var low = Math.ceil(u.valToPos(map.bounds[cell[1]], "left", true));
        var high = Math.ceil(u.valToPos(map.bounds[cell[1] + 1], "left", true));
        u.ctx.fillStyle = "rgba(" + tone + "," + (0.1 + 0.9 * Math.log(1 + cell[2]) / Math.log(1 + most)).toFixed(3) + ")";
        u.ctx.fillRect(left, high, Math.max(right - left, 1), low - high);
      });
      u.ctx.restore();
    }
    function tell(u) {
      var x = u.posToVal(u.cursor.left, "x"), y = u.posToVal(u.cursor.top, "left");
      var column = -1, row = -1;
      plot.xs.forEach(function (at, number) { if (at <= x) column = number; });
      map.bounds.forEach(function (bound, number) { if (bound <= y) row = number; });
      var inside = u.cursor.left >= 0 && column >= 0 && row >= 0 && row + 1 < map.bounds.length;
      under.textContent = !inside ? "Darker: more transactions." : "From " + moment(plot.xs[column]) + ", "
        + number(map.bounds[row]) + " to " + number(map.bounds[row + 1]) + " ms: "
        + (counts[column + "/" + row] || 0).toLocaleString("en") + " transactions";
    }
    return { draw: draw, tell: tell };
  }

  function build(figure) {
    var plot = plots[Number(figure.dataset.plot)];
    var kind = across(plot);
    var filled = plot.lines.some(function (one) { return one.form === "filled" || one.form === "steps"; });
    var bottom = axis(kind.label, "x", 2);
    bottom.label = kind.label || undefined;
    bottom.labelSize = 20;
    bottom.size = 26;
    bottom.space = kind.space || 62;
    bottom.grid = { show: true, stroke: colour("grid"), width: 1 };
    bottom.values = function (u, values) { return values.map(kind.tick || kind.text); };
    if (kind.incrs) bottom.incrs = kind.incrs;
    if (kind.splits) bottom.splits = kind.splits;
    var left = axis(plot.unit, "left", 3);
    if (plot.logarithmic) {
      left.splits = powers;
      left.filter = all;
    }
    var options = {
      width: room(figure),
      height: HEIGHT,
      padding: [8, plot.unit_right ? 0 : 24, 0, 0],
      scales: {
        x: { time: false },
        left: plot.logarithmic ? { distr: 3, range: logarithmic } : { range: linear(filled) },
        right: { range: linear(true) }
      },
      axes: [bottom, left],
      series: [{ label: plot.x === "names" ? "run" : plot.x === "time" ? "at" : plot.x === "duration" ? "ms from" : "percentile",
        value: function (u, value) { return value == null ? "–" : kind.text(value); } }],
      cursor: { drag: { x: true, y: false }, points: { size: 6 } },
      legend: { live: true },
      hooks: { draw: [marks(plot)] }
    };
    if (plot.unit_right) options.axes.push(axis(plot.unit_right, "right", 1));
    if (plot.x === "time") options.cursor.sync = { key: "time", setSeries: false };
    if (plot.x === "names") {
      options.scales.x.range = function (u, min, max) { return [min - 0.3, max + 0.3]; };
    }
    var data = [plot.xs];
    plot.lines.forEach(function (one) {
      options.series.push(line(plot, one));
      data.push(one.values);
    });
    if (plot.heat) {
      var under = document.createElement("div");
      under.className = "under";
      var map = heat(plot, under);
      var bounds = plot.heat.bounds;
      options.legend.show = false;
      options.cursor.y = true;
      options.scales.left = { distr: 3, range: function () { return [bounds[0], bounds[bounds.length - 1]]; } };
      options.scales.x.range = function (u, min, max) {
        var last = plot.xs[plot.xs.length - 1];
        return [min, max >= last ? last + plot.heat.width : max];
      };
      options.series.push({ label: "", scale: "left", show: true, stroke: "transparent", points: { show: false } });
      data.push(plot.xs.map(function () { return null; }));
      options.hooks.drawClear = [map.draw];
      options.hooks.setCursor = [map.tell];
    }
    var chart = new uPlot(options, data, figure);
    if (under) figure.appendChild(under);
    chart.root.querySelectorAll(".u-legend .u-series th").forEach(function (name, at) {
      if (at === 0) return;
      name.tabIndex = 0;
      name.title = "Click to hide or show; with Ctrl to show only this one";
      name.addEventListener("keydown", function (event) {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); name.click(); }
      });
    });
    return chart;
  }

  function draw() {
    drawn.forEach(function (one) { one.chart.destroy(); });
    document.querySelectorAll(".plot .under").forEach(function (one) { one.remove(); });
    drawn = Array.prototype.map.call(document.querySelectorAll(".plot"), function (figure) {
      return { figure: figure, chart: build(figure) };
    });
  }

  function fit() {
    drawn.forEach(function (one) {
      var width = room(one.figure);
      if (Math.abs(width - one.chart.width) > 1) one.chart.setSize({ width: width, height: HEIGHT });
    });
  }

  // Numbers with thousands apart and a unit, lengths of time too: "1,234", "3.2 MB", "1 h 30 min".
  var UNITS = { kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, ms: 1e-3, min: 60, h: 3600 };

  function weight(cell) {
    var first = cell.firstChild ? cell.firstChild.textContent : "";
    var text = first.replace(/,/g, "").replace(/−/g, "-");
    var sum = null, pattern = /([-+]?\d[\d.]*)\s*([A-Za-z]*)/g, found;
    while ((found = pattern.exec(text)) !== null) sum = (sum || 0) + Number(found[1]) * (UNITS[found[2]] || 1);
    return sum;
  }

  function sortable(table) {
    // Rows that belong together stay so.
    if (table.querySelector("tr.strong") || table.tBodies[0].rows.length < 3) return;
    var heads = table.tHead.rows[0].cells;
    Array.prototype.forEach.call(heads, function (head, column) {
      var numeric = head.classList.contains("n");
      head.dataset.sorts = "";
      head.tabIndex = 0;
      function sort() {
        var down = head.getAttribute("aria-sort") ? head.getAttribute("aria-sort") === "ascending" : numeric;
        Array.prototype.forEach.call(heads, function (other) { other.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        var rows = Array.prototype.slice.call(table.tBodies[0].rows);
        rows.sort(function (a, b) {
          var x = a.cells[column], y = b.cells[column], order;
          if (numeric) {
            var p = weight(x), q = weight(y);
            if (p == null || q == null) return (p == null) - (q == null);
            order = p - q;
          } else {
            order = x.textContent.localeCompare(y.textContent, "en", { numeric: true });
          }
          return down ? -order : order;
        });
        rows.forEach(function (row) { table.tBodies[0].appendChild(row); });
      }
      head.addEventListener("click", sort);
      head.addEventListener("keydown", function (event) {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); sort(); }
      });
    });
  }

  draw();
  document.querySelectorAll(".scrolls table").forEach(sortable);
  var wait;
  addEventListener("resize", function () { clearTimeout(wait); wait = setTimeout(fit, 80); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  addEventListener("beforeprint", function () {
    printing = true;
    root.dataset.theme = "light";
    document.querySelectorAll("details").forEach(function (one) { one.open = true; });
    draw();
  });
  addEventListener("afterprint", function () {
    printing = false;
    delete root.dataset.theme;
    draw();
  });
})();
