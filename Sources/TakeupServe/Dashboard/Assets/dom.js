// Elements without parsed HTML, and how names, sizes and times are written.

export const $ = (selector, root = document) => root.querySelector(selector);

function make(element, attributes, children) {
    for (const [key, value] of Object.entries(attributes)) {
        if (value === undefined || value === null || value === false) continue;
        if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
        else element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return element;
}

/** Makes an element; children are elements or plain text. */
export function h(name, attributes = {}, ...children) {
    return make(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
    return make(
        document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

export function icon(name) {
    return svg("svg", { class: "icon", "aria-hidden": "true" }, svg("use", { href: `#i-${name}` }));
}

const scopes = ["anyone", "read", "submit", "admin"];
const shortfalls = { submit: "The token of this session may only look", admin: "The token of this session may not remove results" };
let scope = "admin";

/** Disables a control that needs more than this session may, and says why. */
function restrict(control) {
    const { needs } = control.dataset;
    if (!needs) return control;
    const isPermitted = scopes.indexOf(scope) >= scopes.indexOf(needs);
    control.dataset.title ??= control.title;
    control.disabled = !isPermitted;
    mark(control, "title", isPermitted ? control.dataset.title || null : shortfalls[needs]);
    return control;
}

/** Sets what this session may, for all controls with `data-needs`: those on the page, and those made later. */
export function permit(to) {
    scope = to;
    document.querySelectorAll("[data-needs]").forEach(restrict);
}

/** A button; `data-needs` is the scope without which it is disabled. */
export function button(label, onclick, { look = "", glyph, ...attributes } = {}) {
    return restrict(h(
        "button", { type: "button", class: look, onclick, ...attributes },
        glyph ? icon(glyph) : null, label));
}

/** A button that shows only its icon; `label` says what it does and to which thing. */
export function iconButton(glyph, label, onclick, attributes = {}) {
    return restrict(h(
        "button", { type: "button", class: "quiet icon-only", "aria-label": label, title: label, onclick, ...attributes },
        icon(glyph)));
}

/** Writes only what differs: an unchanged row costs no layout. */
export function write(element, text) {
    if (element.textContent !== text) element.textContent = text;
}

export function mark(element, key, value) {
    if (value === null || value === undefined) element.removeAttribute(key);
    else if (element.getAttribute(key) !== String(value)) element.setAttribute(key, value);
}

const unseen = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Shows control characters and turns of the writing direction instead of obeying them. */
export function visible(text) {
    return String(text ?? "").replace(unseen, (character) => {
        const code = character.codePointAt(0);
        return code < 0x20
            ? String.fromCodePoint(0x2400 + code)
            : `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
    });
}

/** A foreign name, kept apart from the direction of the text around it. */
export function foreign(text, attributes = {}) {
    return h("bdi", attributes, visible(text));
}

export const isAddress = (source) => /^https?:\/\//i.test(source);
export const sourcesOf = (source) => (Array.isArray(source) ? source : [source]).map(String);

/** The short name of a job's source: its file, and how many are joined. */
export function sourceName(source) {
    const all = sourcesOf(source ?? "");
    const first = all[0] ?? "";
    let path = (isAddress(first) ? first.replace(/\?.*$/, "") : first).replace(/\/+$/, "");
    path = path.slice(path.lastIndexOf("/") + 1) || first;
    if (isAddress(first)) {
        try {
            path = decodeURIComponent(path);
        } catch {
            // A name that is not UTF-8 stays as the address has it.
        }
    }
    return visible(path) + (all.length > 1 ? ` + ${all.length - 1} more` : "");
}

export function bytes(count) {
    if (!Number.isFinite(count)) return "–";
    const units = ["B", "kB", "MB", "GB", "TB", "PB"];
    let step = 0;
    while (Math.abs(count) >= 999.5 && step < units.length - 1) {
        count /= 1000;
        step += 1;
    }
    return `${count.toFixed(step > 0 && count < 99.95 ? 1 : 0)} ${units[step]}`;
}

/** 1:02:03, or 0:07. */
export function span(seconds) {
    if (!Number.isFinite(seconds)) return "–";
    const whole = Math.max(0, Math.round(seconds));
    const two = (value) => String(value).padStart(2, "0");
    const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
    return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

export const percent = (fraction) =>
    Number.isFinite(fraction) ? `${Math.floor(fraction * 100 + 1e-9)} %` : "–";
export const times = (speed) =>
    Number.isFinite(speed) ? `${speed.toFixed(speed < 10 ? 1 : 0)}×` : "–";
export const whole = new Intl.NumberFormat("en").format;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const steps = [["second", 60], ["minute", 60], ["hour", 24], ["day", 30], ["month", 12], ["year", 1e9]];

/** "3 min. ago", "in 6 days". */
function ago(stamp, now = Date.now()) {
    let amount = (Date.parse(stamp) - now) / 1000;
    if (!Number.isFinite(amount)) return "–";
    if (Math.abs(amount) < 5) return "now";
    for (const [unit, size] of steps) {
        if (Math.abs(amount) < size) return relative.format(Math.trunc(amount), unit);
        amount /= size;
    }
    return "–";
}

export function exactly(stamp) {
    const time = new Date(stamp);
    return Number.isNaN(time.getTime()) ? "" : time.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
}

/** A time in words that `refreshTimes` keeps true. */
export function when(stamp) {
    if (!stamp) return h("span", {}, "–");
    return h("time", { datetime: stamp, title: exactly(stamp) }, ago(stamp));
}

export function refreshTimes(root) {
    for (const time of root.querySelectorAll("time[datetime]")) write(time, ago(time.dateTime));
}

/** Terms and their values; a value that is null is left out. */
export function facts(pairs) {
    return pairs.filter(([, value]) => value !== null && value !== undefined && value !== "").flatMap(
        ([term, value]) => [h("dt", {}, term), h("dd", {}, value)]);
}

/** A table that keeps its meaning when narrow screens lay it out as blocks. */
export function table(caption, columns, rows) {
    return h(
        "table", { role: "table", class: "data" },
        h("caption", { class: "hidden" }, caption),
        h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, columns.map((column) =>
            h("th", { role: "columnheader", scope: "col", class: column.look }, column.label)))),
        h("tbody", { role: "rowgroup" }, rows));
}

export function row(columns, cells, attributes = {}) {
    return h("tr", { role: "row", ...attributes }, cells.map((cell, index) =>
        h(index === 0 ? "th" : "td", {
            role: index === 0 ? "rowheader" : "cell", scope: index === 0 ? "row" : null,
            "data-label": columns[index].label, class: columns[index].look,
        }, cell)));
}

/** Replaces what a dialog shows, but for messages that are in it. */
export function fillDialog(dialog, ...children) {
    const kept = $("#notices", dialog);
    dialog.replaceChildren(...children, ...(kept ? [kept] : []));
}

// What is outside of an open dialog can be neither read nor clicked: messages go where the user is.
function placeNotices() {
    ([...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body).append($("#notices"));
}
document.addEventListener("close", ({ target }) => target.contains($("#notices")) && placeNotices(), true);

/** Says something beside the page; errors stay until they are closed. */
export function notice(text, problem) {
    const close = () => box.remove();
    const box = h(
        "div", { class: problem ? "notice bad" : "notice", role: problem ? "alert" : null },
        icon(problem ? "alert" : "check"),
        h("div", {}, h("p", {}, text), problem?.hint ? h("p", { class: "hint" }, problem.hint) : null),
        iconButton("cancel", "Close this message", close));
    const list = $("#notices");
    placeNotices();
    list.append(box);
    while (list.children.length > 4) list.firstElementChild.remove();
    if (!problem) setTimeout(close, 6000);
}

export const report = (problem) => notice(visible(problem.message), problem);

/** What a view shows instead of rows: that it loads, has none, or failed. */
export function emptyState(title, text, ...more) {
    return h("div", { class: "empty" }, h("p", { class: "empty-title" }, title), h("p", {}, text), more);
}

/** Asks before something that can't be taken back. */
export function ask(title, text, verb) {
    const dialog = $("#ask");
    return new Promise((resolve) => {
        fillDialog(
            dialog, h("h2", { id: "ask-title" }, title), h("p", {}, text),
            h("div", { class: "buttons" },
                button("Keep", () => dialog.close(), { look: "quiet" }),
                button(verb, () => dialog.close("yes"), { look: "danger" })));
        dialog.returnValue = "";
        dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
        dialog.showModal();
    });
}
