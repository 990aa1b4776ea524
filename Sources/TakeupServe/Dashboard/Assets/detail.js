// One job: its state, why it failed, its log, and what can be done with it.

import { cachePath, call, get, jobPath, mediaPath } from "./api.js";
import {
    $, button, bytes, emptyState, facts, fillDialog, foreign, h, icon, iconButton, refreshTimes,
    sourceName, sourcesOf, span, times, visible, when, whole, write,
} from "./dom.js";
import {
    act, badge, canRetry, cancelJob, hasEnded, hasOutput, needsSubmit, progressBar, progressWords, retryJob,
} from "./jobs.js";

/** The lines of a log, whichever way the server writes them. */
function logLines(answer) {
    const lines = typeof answer === "string" ? answer.split("\n") : answer?.lines ?? answer?.log ?? answer ?? [];
    return (Array.isArray(lines) ? lines : []).map((line) => {
        if (typeof line === "string") return line;
        const { at, time, level, message, text, ...rest } = line;
        const more = Object.entries(rest).map(([key, value]) =>
            `${key}=${typeof value === "object" ? JSON.stringify(value) : value}`);
        return [at ?? time, level, message ?? text, ...more].filter(Boolean).join("  ");
    }).filter(Boolean);
}

export class JobDetail {
    #job = null;
    #bar = null;
    #asked = 0;

    constructor({ play }) {
        this.dialog = $("#detail");
        this.play = play;
        this.dialog.addEventListener("close", () => {
            this.#job = null;
            if (location.hash.startsWith("#jobs/")) history.replaceState(null, "", "#jobs");
        });
    }

    async open(id) {
        history.replaceState(null, "", `#jobs/${encodeURIComponent(id)}`);
        if (!this.dialog.open) {
            this.#frame(h("p", { class: "mono" }, visible(id)), emptyState("Loading", "The job is being read."));
            this.dialog.showModal();
        }
        await this.load(id);
    }

    async load(id) {
        const asked = ++this.#asked;
        try {
            const job = await get(jobPath(id));
            if (asked === this.#asked && this.dialog.open) this.#show(job);
        } catch (problem) {
            if (asked !== this.#asked) return;
            this.#frame(foreign(id), emptyState(
                problem.status === 404 ? "No such job" : "The job can't be shown",
                visible(problem.message), button("Try again", () => this.load(id))));
        }
    }

    /** Follows what a frame's events say of the open job. */
    take({ progress, started, finished }) {
        const id = this.#job?.id;
        if (!id) return;
        const value = progress.get(id);
        if (value && this.#bar) this.#bar(value);
        const changed = started.some(({ job }) => job === id) && this.#job.state !== "running";
        if (changed || finished.some(({ job }) => job === id)) this.load(id);
    }

    tick() {
        if (this.dialog.open) refreshTimes(this.dialog);
    }

    #frame(title, ...content) {
        const hadFocus = this.dialog.contains(document.activeElement);
        fillDialog(
            this.dialog, h("header", {}, h("h2", { id: "detail-title", tabindex: -1, autofocus: true }, title),
                iconButton("cancel", "Close", () => this.dialog.close())),
            h("div", { class: "sheet-body" }, content));
        if (hadFocus) $("#detail-title").focus();
    }

    #show(job) {
        const opened = new Set([...this.dialog.querySelectorAll("details[open]")].map((each) => each.className));
        const focused = document.activeElement?.dataset?.act;
        this.#job = job;
        this.#bar = null;
        this.#frame(
            h("bdi", {}, sourceName(job.source)), this.#standing(job), this.#failure(job),
            this.#buttons(job), h("dl", { class: "facts" }, this.#facts(job)), this.#warnings(job),
            this.#log(job, opened.has("log") || job.state === "failed" || job.state === "quarantined"));
        if (focused) $(`[data-act="${focused}"]`, this.dialog)?.focus();
    }

    #standing(job) {
        const label = h("span", { class: "job-detail" });
        const line = h("div", { class: "job-line" }, badge(job.state), label);
        if (job.state !== "running") {
            write(label, hasOutput(job) ? "" : visible(job.why ?? job.note ?? ""));
            return line;
        }
        const bar = progressBar("Progress");
        this.#bar = (progress) => {
            const [phase, rest] = progressWords(progress);
            write($(".badge > span", line), phase);
            write(label, rest);
            bar.set(progress?.fraction);
        };
        this.#bar(job.progress);
        return h("div", { class: "standing" }, line, bar.element);
    }

    #failure({ error, state }) {
        if (!error || state === "succeeded" || state === "cached") return null;
        return h(
            "section", { class: "failure", "aria-label": "Failure" }, icon("alert"),
            h("div", {}, h("p", { class: "reason" }, visible(error.message)),
                error.hint ? h("p", { class: "hint" }, visible(error.hint)) : null,
                h("p", { class: "codes" }, h("code", {}, visible(error.code)),
                    error.stage ? ` in the stage ${visible(error.stage)}` : null)));
    }

    #buttons(job) {
        const change = (work) => async () => {
            if (await work(job)) this.load(job.id);
        };
        const list = [];
        if (hasOutput(job)) {
            list.push(
                button("Play beside the source", () => this.play(job), { look: "primary", glyph: "play", "data-act": "play" }),
                h("a", { class: "as-button", href: mediaPath(job.id, job.output), download: "" }, icon("save"), "Download"),
                button("Pin", change(pinJob), { glyph: "pin", "data-act": "pin", title: "Keeps the result in the cache", ...needsSubmit }));
        }
        if (canRetry(job)) list.push(button("Try again", change(retryJob), { look: "primary", glyph: "retry", "data-act": "retry", ...needsSubmit }));
        if (!hasEnded(job)) list.push(button("Cancel", change(cancelJob), { look: "danger", glyph: "cancel", "data-act": "cancel", ...needsSubmit }));
        return h("div", { class: "buttons start" }, list);
    }

    #facts(job) {
        const { result, spec } = job;
        const range = spec && (spec.start ?? spec.duration) !== null && (spec.start || spec.duration)
            ? `from ${span(Number(spec.start ?? 0))}${spec.duration ? `, ${span(Number(spec.duration))} long` : ""}` : null;
        const took = job.startedAt && job.finishedAt
            ? (Date.parse(job.finishedAt) - Date.parse(job.startedAt)) / 1000 : null;
        const tries = [["failures", "failed"], ["crashes", "crashed"], ["interruptions", "interrupted"]]
            .filter(([key]) => job[key]).map(([key, word]) => `${whole(job[key])} ${word}`).join(", ");
        const sources = sourcesOf(job.source);
        return facts([
            [sources.length > 1 ? "Sources" : "Source", sources.map((each) => h("div", {}, foreign(each, { class: "path" })))],
            ["Output", job.output ? foreign(job.output, { class: "path" }) : "in the cache only"],
            ["Preset", foreign(job.preset)],
            ["Changed settings", spec?.set?.length ? foreign(spec.set.join(", ")) : null],
            ["Range", range],
            ["Size", result ? bytes(result.bytes) : null],
            ["Duration", result ? span(result.duration) : null],
            ["Frames", result?.frames ? whole(result.frames) : null],
            ["Waits until", job.state === "scheduled" && job.runAt ? when(job.runAt) : null],
            ["Submitted", when(job.createdAt)],
            ["Started", job.startedAt ? when(job.startedAt) : null],
            ["Ended", job.finishedAt ? when(job.finishedAt) : null],
            ["Took", hasOutput(job) && took ? `${span(took)}${result?.duration ? `, ${times(result.duration / took)}` : ""}` : null],
            ["Tries", tries],
            ["Priority", job.priority ? whole(job.priority) : null],
            ["Worker", job.worker ? foreign(job.worker, { class: "mono" }) : null],
            ["SHA-256", result?.sha256 ? h("span", { class: "mono path" }, result.sha256) : null],
            ["Id", foreign(job.id, { class: "mono path" })],
        ]);
    }

    #warnings({ result }) {
        if (!result?.warnings?.length) return null;
        return h("section", {}, h("h3", {}, "Warnings"), h("ul", { class: "plain" },
            result.warnings.map((warning) => h("li", {}, visible(warning.message), " ", h("code", {}, visible(warning.code))))));
    }

    #log(job, isOpen) {
        const text = h("pre", { class: "log", tabindex: 0, "aria-label": "Log" }, "Loading");
        const box = h("details", { class: "log" }, h("summary", {}, "Log"), text);
        const load = async () => {
            try {
                const lines = logLines(await get(jobPath(job.id, "/log")));
                write(text, lines.map(visible).join("\n") || "The log is empty.");
            } catch (problem) {
                write(text, visible(problem.message));
            }
        };
        box.addEventListener("toggle", () => box.open && load());
        box.open = isOpen;
        return box;
    }
}

const pinJob = (job) =>
    act(() => call("POST", cachePath(job.id, "/pin")), `${sourceName(job.source)} stays in the cache until it is unpinned.`);
