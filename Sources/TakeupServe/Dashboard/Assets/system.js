// Watched folders, workers, and the history of the server as plots.

import { get, listOf } from "./api.js";
import { $, button, bytes, emptyState, facts, foreign, h, icon, percent, refreshTimes, row, span, table, times, visible, when, whole } from "./dom.js";
import { Plot } from "./plot.js";
import { cacheFigures } from "./results.js";

/** Loads a part of the page; says what is wrong instead of it when that fails. */
async function fill(place, what, load, again) {
    try {
        place.replaceChildren(...[await load()].flat());
    } catch (problem) {
        place.replaceChildren(emptyState(`${what} can't be shown`, visible(problem.message), button("Try again", again)));
    }
}

/** Loads anew, unless that would take the focus from something within. */
function refresh(place, view) {
    return place.contains(document.activeElement) ? refreshTimes(place) : view.show();
}

const fileColumns = [{ label: "File" }, { label: "Why it waits", look: "wide" }, { label: "Since" }];

function folderState(folder) {
    if (folder.missingOutput) return ["failed", "alert", "Output missing", folder.missingOutput];
    if (folder.available === false) return ["failed", "alert", "Not there", folder.reason ?? "The folder or its disk is missing. Nothing is deleted or failed because of it."];
    if (folder.stuck) return ["failed", "alert", `${whole(folder.stuck)} stuck`, null];
    if (folder.scanned === false) return ["waiting", "clock", "First scan", null];
    return ["done", "check", "Watching", null];
}

function folderCard(folder) {
    const [look, glyph, word, why] = folderState(folder);
    const files = listOf(folder, "files");
    const count = (key) => (folder[key] === undefined || folder[key] === null ? null : whole(folder[key]));
    return h(
        "article", { class: "card" },
        h("header", {}, h("h3", {}, foreign(folder.path ?? folder.folder, { class: "path" })), h("span", { class: `badge ${look}` }, icon(glyph), h("span", {}, word))),
        why ? h("p", { class: "error" }, visible(why)) : null,
        h("dl", { class: "figures small" }, facts([
            ["Growing", count("waiting")], ["Stuck", count("stuck")], ["In work", count("handed")], ["Known", count("known")]])),
        folder.output ? h("p", { class: "why" }, "Outputs go to ", foreign(folder.output, { class: "path" })) : null,
        files.length ? table(`Files that wait in ${visible(folder.path)}`, fileColumns, files.map((file) => row(fileColumns, [
            foreign(file.path ?? file.name, { class: "path" }), visible(file.why ?? file.reason ?? file.state ?? ""),
            when(file.since ?? file.at)]))) : h("p", { class: "why" }, "No file waits."));
}

export class FoldersView {
    show() {
        return fill($("#folders"), "The folders", async () => {
            const folders = listOf(await get("v1/folders"), "folders");
            return folders.length ? folders.map(folderCard) : emptyState("No watched folders", "The daemon of watched folders exports whatever lands in them. None uses this server's database.");
        }, () => this.show());
    }

    tick() {
        return refresh($("#folders"), this);
    }
}

const workerColumns = [
    { label: "Worker" }, { label: "State" }, { label: "Lanes", look: "number" }, { label: "Jobs", look: "wide" },
    { label: "Version" }, { label: "Last sign of life" },
];

export class WorkersView {
    show() {
        return fill($("#workers"), "The workers", async () => {
            const workers = listOf(await get("v1/workers"), "workers");
            if (!workers.length) return emptyState("No workers", "Jobs wait until a worker starts on this queue.");
            return table("Workers", workerColumns, workers.map((worker) => {
                const isAlive = worker.alive ?? worker.isAlive ?? Date.now() - Date.parse(worker.lastSeenAt) < 60_000;
                const jobs = Array.isArray(worker.jobs) ? worker.jobs : null;
                const [look, glyph, word] = isAlive ? ["done", "check", "Working"] : ["failed", "alert", "Silent"];
                return row(workerColumns, [
                    [foreign(worker.host ?? worker.id, { class: "entry-name" }), h("span", { class: "why mono" }, foreign(worker.id ?? ""))],
                    h("span", { class: `badge ${look}` }, icon(glyph), h("span", {}, visible(worker.state ?? word))),
                    whole(worker.lanes ?? 0),
                    jobs ? (jobs.length ? jobs.map((id) => h("a", { href: `#jobs/${encodeURIComponent(id)}`, class: "mono" }, visible(id))) : "0") : whole(worker.running ?? worker.jobs ?? 0),
                    foreign(worker.version ?? "–"), when(worker.lastSeenAt ?? worker.seenAt)]);
            }));
        }, () => this.show());
    }

    tick() {
        return refresh($("#workers"), this);
    }
}

export class ActivityView {
    #plots = [
        new Plot({ title: "Queue", about: "jobs that wait and that run", series: [
            { label: "Waiting", of: (sample) => sample.queued ?? sample.queueDepth },
            { label: "Running", of: (sample) => sample.running }], write: (value) => whole(Math.round(value)), isWhole: true }),
        new Plot({ title: "Speed", about: "media seconds a second of work", series: [{ label: "Speed", of: (sample) => sample.speed }], write: times }),
        new Plot({ title: "Hit rate", about: "requests that the cache answers", series: [{ label: "Hit rate", of: (sample) => sample.hitRate }], write: percent, top: 1 }),
        new Plot({ title: "Data saved", about: "bytes from the cache in this time", series: [{ label: "Saved", of: (sample, first) => sample.bytesSaved - first.bytesSaved }], write: bytes }),
    ];

    constructor() {
        $("#plots").append(...this.#plots.map((plot) => plot.element));
    }

    async show() {
        try {
            const [status, stats] = await Promise.all([get("v1/status"), get("v1/cache/stats")]);
            const history = listOf(status, "history");
            const speed = stats.speed ?? history.at(-1)?.speed;
            const up = status.startedAt ? span((Date.now() - Date.parse(status.startedAt)) / 1000) : null;
            const { "In the cache": held, Removed: removed, Results: results, ...figures } = cacheFigures(stats);
            $("#activity-figures").replaceChildren(...facts([...Object.entries(figures), ["Mean speed", times(speed)], ["Up for", up]]));
            for (const plot of this.#plots) plot.show(history);
        } catch (problem) {
            for (const plot of this.#plots) plot.fail(problem.message);
        }
    }

    tick() {
        return this.show();
    }
}
