// A quantity over time as a drawing with axes, a cursor for mouse and keys, and a table.

import { exactly, h, row, svg, table, write } from "./dom.js";

const height = 176;
const margin = { top: 10, right: 18, bottom: 24, left: 56 };
const mostPoints = 360;
const tableRows = 60;

/** Round steps for an axis that begins at 0. */
function axisTicks(highest, isWhole = false) {
    if (!(highest > 0)) return [0, 1];
    const size = 10 ** Math.floor(Math.log10(highest / 4));
    let step = [1, 2, 2.5, 5, 10].map((factor) => factor * size).find((each) => each * 4 >= highest * 0.999) ?? size * 10;
    if (isWhole) step = Math.max(1, Math.ceil(step));
    const ticks = [0];
    while (ticks.at(-1) < highest * 0.999) ticks.push(Number((ticks.at(-1) + step).toPrecision(12)));
    return ticks;
}

const minute = 60_000;
const timeSteps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map((count) => count * minute);

/** Round times of the local clock, at most so many. */
function timeTicks(first, last, most) {
    const shift = new Date(last).getTimezoneOffset() * minute;
    const step = timeSteps.find((each) => (last - first) / each <= most - 1) ?? timeSteps.at(-1);
    const ticks = [];
    for (let time = Math.ceil((first - shift) / step) * step + shift; time <= last; time += step) ticks.push(time);
    return ticks.length ? ticks : [first];
}

/** Takes samples at even steps; the last one is among them. */
function thinned(samples, most) {
    if (samples.length <= most) return samples;
    const step = samples.length / most;
    return Array.from({ length: most }, (_, index) => samples[Math.min(samples.length - 1, Math.round((index + 1) * step) - 1)]);
}

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

export class Plot {
    #samples = [];
    #here = null;
    #width = 0;

    constructor({ title, about, series, write: written, top, isWhole = false }) {
        Object.assign(this, { title, series, written, top, isWhole });
        this.readout = h("output", { class: "readout" });
        this.canvas = h("div", { class: "plot-canvas", tabindex: 0, role: "img" });
        const legend = series.length > 1 ? h("ul", { class: "legend", role: "list" }, series.map((each, index) => h("li", { class: `series-${index}` }, each.label))) : null;
        this.tableBox = h("details", {}, h("summary", {}, "Show as a table"));
        this.tableBox.addEventListener("toggle", () => this.#fillTable());
        this.element = h(
            "figure", { class: "plot card" },
            h("figcaption", {}, h("h3", {}, title), h("span", { class: "why" }, about), legend, this.readout), this.canvas, this.tableBox);
        this.canvas.addEventListener("pointermove", (event) => this.#point(event.offsetX));
        this.canvas.addEventListener("pointerleave", () => this.#move(null));
        this.canvas.addEventListener("blur", () => this.#move(null));
        this.canvas.addEventListener("keydown", (event) => {
            const last = this.#samples.length - 1;
            const to = { ArrowLeft: (this.#here ?? last + 1) - 1, ArrowRight: (this.#here ?? -1) + 1, Home: 0, End: last }[event.key];
            if (to === undefined || last < 0) return;
            event.preventDefault();
            this.#move(Math.min(last, Math.max(0, to)));
        });
        new ResizeObserver(([entry]) => {
            if (Math.abs(entry.contentRect.width - this.#width) < 1) return;
            this.#width = entry.contentRect.width;
            this.#draw();
        }).observe(this.canvas);
    }

    show(history) {
        const timed = history.map((sample) => ({ ...sample, time: Date.parse(sample.time), stamp: sample.time })).filter(({ time }) => Number.isFinite(time));
        this.#samples = thinned(timed, mostPoints);
        this.first = timed[0];
        this.#draw();
        if (this.tableBox.open) this.#fillTable();
    }

    fail(message) {
        this.#samples = [];
        this.canvas.replaceChildren(h("p", { class: "why" }, message));
    }

    #value(series, sample) {
        const value = series.of(sample, this.first);
        return Number.isFinite(value) ? value : null;
    }

    #scales() {
        const values = this.#samples.flatMap((sample) => this.series.map((series) => this.#value(series, sample) ?? 0));
        const ticks = axisTicks(this.top ?? Math.max(0, ...values), this.isWhole);
        const [first, last] = [this.#samples[0].time, this.#samples.at(-1).time];
        const [right, bottom] = [this.#width - margin.right, height - margin.bottom];
        return {
            ticks, right, bottom,
            x: (time) => margin.left + ((time - first) / Math.max(1, last - first)) * (right - margin.left),
            y: (value) => bottom - (value / ticks.at(-1)) * (bottom - margin.top),
        };
    }

    #draw() {
        if (this.#width < 80) return;
        if (this.#samples.length < 2) {
            this.canvas.replaceChildren(h("p", { class: "why" }, "The server notes a value each ten seconds. A line appears after the second."));
            return;
        }
        const scale = this.#scales();
        const { ticks, right, bottom, x, y } = scale;
        const drawing = svg("svg", { width: this.#width, height, "aria-hidden": "true", focusable: "false" });
        for (const tick of ticks) {
            drawing.append(
                svg("line", { class: tick ? "grid" : "axis", x1: margin.left, x2: right, y1: y(tick), y2: y(tick) }),
                svg("text", { class: "tick", x: margin.left - 8, y: y(tick) + 4, "text-anchor": "end" }, this.written(tick)));
        }
        const [first, last] = [this.#samples[0].time, this.#samples.at(-1).time];
        for (const time of timeTicks(first, last, Math.max(2, Math.floor((right - margin.left) / 64)))) {
            drawing.append(svg("text", { class: "tick", x: x(time), y: height - 6, "text-anchor": "middle" }, clock.format(time)));
        }
        this.series.forEach((series, index) => drawing.append(...this.#line(series, index, scale)));
        this.cursor = svg("line", { class: "cursor", y1: margin.top, y2: bottom, visibility: "hidden" });
        drawing.append(this.cursor);
        this.scale = scale;
        this.canvas.replaceChildren(drawing);
        this.canvas.setAttribute("aria-label", this.#summary());
        this.#move(this.#here === null ? null : Math.min(this.#here, this.#samples.length - 1));
    }

    /** A line, broken where nothing is known, and for a single series the area below. */
    #line(series, index, { x, y, bottom }) {
        const runs = [[]];
        for (const sample of this.#samples) {
            const value = this.#value(series, sample);
            if (value === null) runs.push([]);
            else runs.at(-1).push(`${x(sample.time).toFixed(1)} ${y(value).toFixed(1)}`);
        }
        const drawn = runs.filter((run) => run.length > 1);
        const path = (close) => drawn.map((run) => close
            ? `M${run[0].split(" ")[0]} ${bottom}L${run.join("L")}L${run.at(-1).split(" ")[0]} ${bottom}Z`
            : `M${run.join("L")}`).join("");
        const line = svg("path", { class: `line series-${index}`, d: path(false) });
        return this.series.length > 1 ? [line] : [svg("path", { class: `area series-${index}`, d: path(true) }), line];
    }

    #summary() {
        const parts = this.series.map((series) => {
            const values = this.#samples.map((sample) => this.#value(series, sample)).filter((value) => value !== null);
            if (!values.length) return `${series.label}: not known`;
            return `${series.label}: now ${this.written(values.at(-1))}, lowest ${this.written(Math.min(...values))}, highest ${this.written(Math.max(...values))}`;
        });
        return `${this.title} from ${clock.format(this.#samples[0].time)} to ${clock.format(this.#samples.at(-1).time)}. ${parts.join(". ")}. Arrow keys read single values.`;
    }

    #point(offsetX) {
        if (this.#samples.length < 2 || !this.scale) return;
        let best = 0;
        this.#samples.forEach((sample, index) => {
            if (Math.abs(this.scale.x(sample.time) - offsetX) < Math.abs(this.scale.x(this.#samples[best].time) - offsetX)) best = index;
        });
        this.#move(best);
    }

    #move(index) {
        this.#here = index;
        const sample = this.#samples[index ?? this.#samples.length - 1];
        if (!sample) return write(this.readout, "");
        const words = this.series.map((series) => {
            const value = this.#value(series, sample);
            return `${this.series.length > 1 ? `${series.label} ` : ""}${value === null ? "–" : this.written(value)}`;
        }).join(", ");
        write(this.readout, index === null ? words : `${clock.format(sample.time)}  ${words}`);
        if (!this.cursor) return;
        this.cursor.setAttribute("visibility", index === null ? "hidden" : "visible");
        if (index !== null) for (const end of ["x1", "x2"]) this.cursor.setAttribute(end, this.scale.x(sample.time));
    }

    #fillTable() {
        const [summary] = this.tableBox.children;
        if (!this.tableBox.open) return this.tableBox.replaceChildren(summary);
        const columns = [{ label: "Time" }, ...this.series.map(({ label }) => ({ label, look: "number" }))];
        const rows = thinned(this.#samples, tableRows).toReversed().map((sample) => row(columns, [
            exactly(sample.stamp), ...this.series.map((series) => {
                const value = this.#value(series, sample);
                return value === null ? "–" : this.written(value);
            })]));
        this.tableBox.replaceChildren(summary, h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `${this.title} as a table` }, table(`${this.title} over time`, columns, rows)));
    }
}
