// The cache and its manifest: what it holds, what expires when; sources from the network.

import { cachePath, call, get, listOf, sourcePath } from "./api.js";
import {
    $, ask, button, bytes, emptyState, facts, foreign, h, iconButton, percent, refreshTimes, report,
    row, sourceName, table, visible, when, whole,
} from "./dom.js";
import { act, needsSubmit } from "./jobs.js";

const pageSize = 100;
const soonSeconds = 86_400;

const columns = [
    { label: "Result" }, { label: "Preset", look: "word" }, { label: "Size", look: "number" }, { label: "Made" },
    { label: "Expires" }, { label: "Last used" }, { label: "Uses", look: "number" }, { label: "Actions", look: "actions" },
];
const sourceColumns = [
    { label: "Address" }, { label: "State" }, { label: "Held", look: "number" }, { label: "From the origin", look: "number" },
    { label: "Requests", look: "number" }, { label: "Readers", look: "number" }, { label: "Used" }, { label: "Actions", look: "actions" },
];

const sourceStates = {
    complete: "Whole", partial: "In part", failed: "Failed", fetching: "Fetching", retrying: "Trying again",
    following: "Follows another",
};
const needsAdmin = { "data-needs": "admin" };
const kinds = { source: "Fetched source", partialSource: "Part of a source" };

/** The figures of the cache that every view repeats. */
export function cacheFigures(stats) {
    const asked = (stats.hits ?? 0) + (stats.misses ?? 0);
    return {
        "Hit rate": asked ? percent(stats.hits / asked) : "–",
        "Data saved": bytes(stats.bytesSaved),
        "In the cache": bytes((stats.bytes ?? 0) + (stats.sourceBytes ?? 0)),
        "Free on the disk": bytes(stats.freeBytes),
        Results: whole(stats.entries ?? 0),
        Removed: whole(stats.evictions ?? 0),
    };
}

export class ResultsView {
    #next = null;
    #rows = [];
    #sourceRows = [];

    constructor({ play }) {
        this.play = play;
        $("#cache-choice").addEventListener("change", () => this.#load());
    }

    async show() {
        await Promise.all([this.#figures(), this.#load(), this.#sources()]);
    }

    tick() {
        refreshTimes($("#view-results"));
    }

    async #figures() {
        try {
            $("#cache-figures").replaceChildren(...facts(Object.entries(cacheFigures(await get("v1/cache/stats")))));
        } catch {
            // The list below says what is wrong.
        }
    }

    async #load(after) {
        const place = $("#results");
        try {
            const query = new URLSearchParams($("#cache-choice").value);
            query.set("limit", pageSize);
            if (after) query.set("after", after);
            const answer = await get(`v1/cache?${query}`);
            const rows = listOf(answer, "entries").map((entry) => this.#row(entry));
            this.#rows = after ? [...this.#rows, ...rows] : rows;
            this.#next = answer.next ?? null;
        } catch (problem) {
            if (after) return report(problem);
            place.replaceChildren(emptyState("The cache can't be shown", visible(problem.message), button("Try again", () => this.show())));
            return;
        }
        if (!this.#rows.length) {
            place.replaceChildren($("#cache-choice").value ? emptyState("None of these", "Nothing in the cache matches what is chosen above.") : emptyState("The cache is empty", "Each finished export is kept here until it expires, so that the same work is done once."));
            return;
        }
        place.replaceChildren(
            table("Results in the cache and when they expire", columns, this.#rows),
            this.#next ? button("Show more results", () => this.#load(this.#next), { look: "more" }) : "");
    }

    #row(entry) {
        const names = entry.ids?.length ? entry.ids : [entry.id];
        const isResult = (entry.kind ?? "result") === "result";
        const left = (Date.parse(entry.expiresAt) - Date.now()) / 1000;
        const name = sourceName(entry.source ?? entry.id);
        const change = (work, done) => async () => {
            if (await act(work, done)) this.show();
        };
        const remove = async () => {
            const yes = await ask("Remove this result?", `${name} leaves the cache. The same export would be done again.`, "Remove");
            if (yes && (await act(() => call("DELETE", cachePath(entry.id)), `${name} is removed.`))) this.show();
        };
        const pin = entry.pinned
            ? button("Unpin", change(() => call("POST", cachePath(entry.id, "/unpin")), `${name} may expire again.`), { look: "small-button", "aria-label": `Unpin ${name}`, ...needsSubmit })
            : iconButton("pin", `Pin ${name}`, change(() => call("POST", cachePath(entry.id, "/pin")), `${name} stays until it is unpinned.`), needsSubmit);
        return row(columns, [
            [h("bdi", { class: "entry-name", title: visible(entry.source) }, name),
                isResult
                    ? h("span", { class: "why mono" }, foreign(names[0].slice(0, 40)), names.length > 1 ? ` + ${names.length - 1} more` : "")
                    : foreign(entry.source ?? "", { class: "why one-line", title: visible(entry.source) })],
            isResult ? foreign(entry.preset ?? "–") : h("span", { class: "why" }, kinds[entry.kind] ?? visible(entry.kind)),
            bytes(entry.bytes), when(entry.createdAt),
            entry.pinned ? h("span", { class: "badge running" }, "Pinned") : entry.expiresAt
                ? h("span", { class: left < soonSeconds ? "soon" : null }, when(entry.expiresAt)) : h("span", { class: "when" }, "when full"),
            when(entry.lastAccessAt), whole(entry.hits ?? 0),
            h("div", { class: "job-actions" },
                isResult ? iconButton("play", `Play ${name}`, () => this.play({ id: entry.id, source: entry.source, output: entry.path })) : null,
                isResult ? pin : null, iconButton("remove", `Remove ${name}`, remove, needsAdmin)),
        ]);
    }

    async #sources(after) {
        const place = $("#sources");
        try {
            const answer = await get(`v1/sources?limit=${pageSize}${after ? `&after=${encodeURIComponent(after)}` : ""}`);
            const rows = listOf(answer, "sources").map((source) => this.#sourceRow(source));
            this.#sourceRows = after ? [...this.#sourceRows, ...rows] : rows;
            if (!this.#sourceRows.length) {
                place.replaceChildren(emptyState("No sources yet", "What exports and players read from the network is kept and counted here."));
                return;
            }
            place.replaceChildren(
                table("Sources from the network", sourceColumns, this.#sourceRows),
                answer.next ? button("Show more sources", () => this.#sources(answer.next), { look: "more" }) : "");
        } catch (problem) {
            if (after) return report(problem);
            place.replaceChildren(emptyState("The sources can't be shown", visible(problem.message)));
        }
    }

    #sourceRow(source) {
        const name = sourceName(source.url);
        const remove = async () => {
            const yes = await ask("Remove this source?", `What is here of ${name} is fetched again when somebody needs it.`, "Remove");
            if (yes && (await act(() => call("DELETE", sourcePath(source.key)), `${name} is removed.`))) this.#sources();
        };
        return row(sourceColumns, [
            [foreign(source.url, { class: "path" }), source.lastError ? h("span", { class: "error" }, visible(source.lastError)) : null],
            sourceStates[source.state] ?? visible(source.state),
            `${bytes(source.bytesPresent)}${Number.isFinite(source.bytesTotal) && source.bytesTotal > source.bytesPresent ? ` of ${bytes(source.bytesTotal)}` : ""}`,
            bytes(source.originBytes), whole(source.originRequests), whole(source.readers), when(source.updatedAt),
            h("div", { class: "job-actions" }, iconButton("remove", `Remove ${name}`, remove, needsSubmit))]);
    }
}
