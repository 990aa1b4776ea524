// Watched folders, workers, and the history of the server as plots.

import { get, listOf } from "./api.js";
import { $, button, bytes, emptyState, facts, foreign, h, icon, percent, refreshTimes, row, span, table, times, visible, when, whole } from "./dom.js";
import { looks } from "./jobs.js";
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

const fileColumns = [{ label: "File" }, { label: "Why it waits", look: "wide" }, { label: "Size", look: "number" }, { label: "Job" }];

function folderCard(folder) {
    const [look, glyph, word] = folder.failed
        ? ["failed", "alert", `${whole(folder.failed)} failed`]
        : folder.handed ? ["running", "play", `${whole(folder.handed)} in work`] : ["done", "check", "Nothing waits"];
    return h(
        "article", { class: "card" },
        h("header", {}, h("h3", {}, foreign(folder.path, { class: "path" })), h("span", { class: `badge ${look}` }, icon(glyph), h("span", {}, word))),
        folder.actionsWaiting ? h("p", { class: "error" }, `${whole(folder.actionsWaiting)} sources could not be moved or deleted yet. Takeup tries again.`) : null,
        folder.files.length ? table(`Files that wait in ${visible(folder.path)}`, fileColumns, folder.files.map((file) => row(fileColumns, [
            foreign(file.path, { class: "path" }), visible(file.why ?? ""), bytes(file.bytes),
            file.job ? h("a", { href: `#jobs/${encodeURIComponent(file.job)}` }, looks[file.jobState ?? file.state]?.[0] ?? visible(file.state)) : "none"]))) : null,
        folder.more ? h("p", { class: "why" }, `and ${whole(folder.more)} more`) : null);
}

export class FoldersView {
    show() {
        return fill($("#folders"), "The folders", async () => {
            const folders = listOf(await get("v1/folders"), "folders");
            return folders.length ? folders.map(folderCard) : emptyState("No watched folders", "'takeup watch' exports the files that are put into a folder. It runs on no folder with the queue of this server.");
        }, () => this.show());
    }

    tick() {
        return refresh($("#folders"), this);
    }
}

const workerColumns = [
    { label: "Worker" }, { label: "State" }, { label: "Speed", look: "number" }, { label: "Jobs", look: "wide" }, { label: "Lease ends" },
];

export class WorkersView {
    show() {
        return fill($("#workers"), "The workers", async () => {
            const { workers, here } = await get("v1/workers");
            $("#worker-here").replaceChildren(...(here ? facts([
                ["Jobs at once", whole(here.lanes)], ["Running now", whole(here.running)],
                ["Done", whole((here.ended.succeeded ?? 0) + (here.ended.cached ?? 0))], ["Failed", whole(here.ended.failed ?? 0)],
                ["Mean speed", times(here.speed)], ["Written", bytes(here.outputBytes)]]) : []));
            if (!workers.length) {
                return here
                    ? emptyState("No worker has a job", "The worker of this server waits for jobs.")
                    : emptyState("No worker has a job", "This server has no worker of its own. Jobs wait until one starts on this queue.");
            }
            return table("Workers that have jobs now", workerColumns, workers.map((worker) => {
                const [look, glyph, word] = worker.alive ? ["done", "check", "Working"] : ["failed", "alert", "Silent"];
                return row(workerColumns, [
                    foreign(worker.id, { class: "mono" }),
                    h("span", { class: `badge ${look}` }, icon(glyph), h("span", {}, word)), times(worker.speed),
                    worker.jobs.map((id) => h("a", { href: `#jobs/${encodeURIComponent(id)}`, class: "mono" }, visible(id))),
                    when(worker.leaseUntil)]);
            }));
        }, () => this.show());
    }

    tick() {
        return refresh($("#workers"), this);
    }
}

const mostSamples = 2160;

export class ActivityView {
    #plots = [
        new Plot({ title: "Queue", about: "jobs that wait and that run", series: [
            { label: "Waiting", of: (sample) => sample.queued + sample.scheduled },
            { label: "Running", of: (sample) => sample.running }], write: (value) => whole(Math.round(value)), isWhole: true }),
        new Plot({ title: "Speed", about: "media seconds a second of work", series: [{ label: "Speed", of: (sample) => sample.speed }], write: times }),
        new Plot({ title: "Hit rate", about: "requests that the cache answers", series: [{ label: "Hit rate", of: (sample) => sample.hitRate }], write: percent, top: 1 }),
        new Plot({ title: "Data saved", about: "bytes from the cache in this time", series: [{ label: "Saved", of: (sample, first) => sample.bytesSaved - first.bytesSaved }], write: bytes }),
    ];

    #history = [];

    constructor() {
        $("#plots").append(...this.#plots.map((plot) => plot.element));
    }

    async show() {
        try {
            const last = this.#history.at(-1)?.time;
            const status = await get(last ? `v1/status?since=${encodeURIComponent(last)}` : "v1/status");
            const news = status.history.filter(({ time }) => !last || time > last);
            this.#history = [...this.#history, ...news].slice(-mostSamples);
            const { "Hit rate": rate, "Data saved": saved, "Free on the disk": free } = cacheFigures(status.cache);
            $("#activity-figures").replaceChildren(...facts([
                ["Hit rate", rate], ["Data saved", saved], ["Speed now", times(status.speed)],
                ["Mean speed", times(status.cache.speed)], ["Free on the disk", free], ["Up for", span(status.uptime)]]));
            for (const plot of this.#plots) plot.show(this.#history);
        } catch (problem) {
            for (const plot of this.#plots) plot.fail(problem.message);
        }
    }

    tick() {
        return this.show();
    }
}
