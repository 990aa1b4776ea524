// New exports: addresses and files, a preset, the plan, then the jobs.

import { call, get, idempotencyKey, listOf } from "./api.js";
import {
    $, button, bytes, emptyState, facts, fillDialog, foreign, h, icon, iconButton, isAddress, notice, percent, report,
    sourceName, sourcesOf, span, visible, whole, write,
} from "./dom.js";
import { hasEnded, progressBar } from "./jobs.js";
import { Upload, sentFiles } from "./upload.js";

const codecs = { h264: "H.264", hevc: "HEVC", av1: "AV1", aac: "AAC", prores: "ProRes", copy: "copied" };
const codecName = (codec) => codecs[codec] ?? visible(codec ?? "");

/** What a preset makes, in one line. */
function presetFacts({ container, video, audio, sizeLimit, subtitles }) {
    const parts = [];
    if (video && typeof video === "object") {
        const size = video.maxWidth ? `up to ${video.maxWidth}×${video.maxHeight}` : "the source's size";
        parts.push(`${codecName(video.codec)}, ${size}`);
        if (video.dynamicRange && video.dynamicRange !== "sdr") parts.push("keeps HDR");
    } else if (video === "copy") parts.push("pictures copied");
    else parts.push("no pictures");
    if (audio && typeof audio === "object") {
        const channels = { 1: "mono", 2: "stereo" }[audio.maxChannels] ?? (audio.maxChannels ? `up to ${audio.maxChannels} channels` : "");
        parts.push(`${codecName(audio.codec)} ${channels}`.trim());
    } else if (audio === "copy") parts.push("sound copied");
    if (sizeLimit) parts.push(`at most ${bytes(sizeLimit)}`);
    if (subtitles === "drop") parts.push("no subtitles");
    if (container) parts.push(container.toUpperCase());
    return parts.join(" · ");
}

function trackLine(track) {
    const bits = [
        codecName(track.codec), track.width ? `${track.width}×${track.height}` : null,
        track.frameRate ? `${Number(track.frameRate.toFixed(2))} frames a second` : null,
        track.dynamicRange && track.dynamicRange !== "sdr" ? track.dynamicRange.toUpperCase() : null,
        track.channelLayout ? visible(track.channelLayout) : null, track.language ? visible(track.language) : null,
    ].filter(Boolean).join(", ");
    return h("li", {}, h("strong", {}, `${track.mode === "copy" ? "Copies" : "Encodes"} ${track.type}`), `: ${bits}`,
        track.reason ? h("span", { class: "why" }, ` – ${visible(track.reason.text)}`) : null);
}

/** "1280×720 H.264, about 12.3 MB" */
function planSummary(plan) {
    const picture = plan.tracks.find((track) => track.type === "video");
    const { expectedBytes, expectedBytesAre } = plan.output;
    return [
        picture ? `${picture.width}×${picture.height} ${codecName(picture.codec)}` : "Sound only",
        span(Number(plan.duration)),
        expectedBytes ? `${expectedBytesAre === "measured" ? "" : "about "}${bytes(expectedBytes)}` : null,
        plan.losses.length ? `loses ${plan.losses.map(lossWord).join(", ")}` : null,
    ].filter(Boolean).join(" · ");
}

const lossWord = (loss) => loss.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function planView(plan) {
    return h(
        "div", { class: "plan" }, h("ul", { class: "plain" }, plan.tracks.map(trackLine),
            plan.dropped.map((track) => h("li", {}, h("strong", {}, `Leaves out ${track.type}`), `: ${codecName(track.codec)}`,
                h("span", { class: "why" }, ` – ${visible(track.reason.text)}`))),
            plan.warnings.map((warning) => h("li", { class: "warns" }, icon("alert"), visible(warning.message)))),
        h("details", {}, h("summary", {}, `All ${plan.decisions.length} decisions`), h("dl", { class: "facts" }, facts(
            plan.decisions.map(({ subject, choice, reason }) => [visible(subject), [h("div", {}, visible(choice)), h("div", { class: "why" }, visible(reason))]])))));
}

/** One source of the dialog, from its upload to its plan. */
class Entry {
    constructor({ source, file }, form) {
        this.form = form;
        this.source = source ?? null;
        this.file = file ?? null;
        this.name = file ? visible(file.name) : sourceName(source);
        this.plan = null;
        this.problem = null;
        this.line = h("p", { class: "entry-line", role: "status" });
        this.more = h("div", { class: "entry-more" });
        this.bar = progressBar(`Upload of ${this.name}`);
        this.bar.element.hidden = true;
        this.element = h(
            "li", { class: "entry" }, icon(file ? "results" : isAddress(source) ? "link" : "folders"),
            h("div", { class: "entry-main" }, h("p", { class: "entry-name" }, h("bdi", {}, this.name)), this.line, this.bar.element, this.more),
            iconButton("cancel", `Remove ${this.name}`, () => form.remove(this)));
    }

    /** Whether it can become a job; an answer that is about the server's state doesn't stand in the way. */
    get isReady() {
        return Boolean(this.source) && !this.isPlanning && !(this.problem && this.problem.status >= 400 && this.problem.status < 500);
    }

    async upload() {
        const { size } = this.file;
        this.bar.element.hidden = false;
        this.sending = new Upload(this.file, (fraction) => {
            this.bar.set(fraction);
            write(this.line, `Uploading, ${percent(fraction)} of ${bytes(size)}`);
        });
        write(this.line, `Uploading ${bytes(size)}`);
        try {
            this.source = await this.sending.run();
            this.bar.element.hidden = true;
            this.sending = null;
            await this.makePlan();
        } catch (problem) {
            if (problem.name === "AbortError") return;
            this.#fail(problem, () => this.upload());
        }
    }

    async makePlan() {
        if (!this.source) return;
        const settings = this.form.settings;
        const asked = (this.asked = (this.asked ?? 0) + 1);
        this.isPlanning = true;
        this.problem = null;
        write(this.line, "Making the plan");
        this.element.classList.remove("bad");
        this.form.changed();
        try {
            const plan = await call("POST", "v1/plan", { ...settings, source: this.source }, { seconds: 120 });
            if (asked !== this.asked) return;
            this.plan = plan;
            write(this.line, planSummary(plan));
            this.more.replaceChildren(planView(plan));
        } catch (problem) {
            if (asked === this.asked) this.#fail(problem, () => this.makePlan());
        } finally {
            if (asked === this.asked) this.isPlanning = false;
            this.form.changed();
        }
    }

    #fail(problem, again) {
        this.problem = problem;
        this.plan = null;
        this.element.classList.add("bad");
        write(this.line, visible(problem.message));
        this.more.replaceChildren(problem.hint ? h("p", { class: "hint" }, visible(problem.hint)) : "", button("Try again", again, { look: "small-button" }));
        this.form.changed();
    }
}

export class SubmitForm {
    #entries = [];
    #presets = null;
    #replan = 0;

    constructor({ submitted }) {
        this.dialog = $("#submit");
        this.submitted = submitted;
        this.#build();
        this.#takeDrops();
    }

    get settings() {
        const value = (id) => $(`#${id}`, this.dialog).value.trim();
        const job = { preset: $("input[name=preset]:checked", this.dialog)?.value ?? "medium" };
        for (const key of ["start", "duration", "output", "expires"]) {
            if (value(`set-${key}`)) job[key] = value(`set-${key}`);
        }
        const priority = Number.parseInt(value("set-priority"), 10);
        if (priority) job.priority = priority;
        return job;
    }

    open() {
        if (!this.dialog.open) {
            this.dialog.showModal();
            this.address.focus();
        }
        this.#loadPresets();
    }

    #build() {
        const field = (key, label, hint, attributes = {}) => h(
            "div", { class: "field" }, h("label", { for: `set-${key}` }, label),
            h("input", { id: `set-${key}`, autocomplete: "off", spellcheck: "false", "aria-describedby": `hint-${key}`, ...attributes }),
            h("p", { class: "hint", id: `hint-${key}` }, hint));
        this.address = h("textarea", { id: "address", rows: 1, placeholder: "https://example.com/film.mov", spellcheck: "false", autocomplete: "off" });
        const files = h("input", { type: "file", multiple: true, class: "hidden", id: "files" });
        files.addEventListener("change", () => {
            this.addFiles(files.files);
            files.value = "";
        });
        this.list = h("ul", { class: "entries", role: "list", "aria-label": "What is exported" });
        this.presets = h("fieldset", { class: "presets" }, h("legend", {}, "Preset"), h("div", { class: "preset-list", "aria-busy": "true" }));
        this.go = h("button", { type: "submit", class: "primary" }, "Export");
        const form = h(
            "form", { class: "sheet-form", novalidate: true },
            h("div", { class: "sheet-body" }, h("div", { class: "field" }, h("label", { for: "address" }, "Addresses or server paths, one a line"),
                h("div", { class: "with-button" }, this.address, button("Add", () => this.#addAddresses())),
                h("div", { class: "pick" }, files, h("label", { for: "files", class: "as-button" }, icon("folders"), "Choose files"), h("span", { class: "why" }, "or drop them anywhere on this page"))),
            this.list, this.presets,
            h("details", { class: "options" }, h("summary", {}, "Range, output and more"), h("div", { class: "grid" },
                field("start", "Start", "Seconds, or 1:02:03.250"), field("duration", "Duration", "Seconds, or 1:02:03.250"),
                field("output", "Output file", "A path below a folder that the server allows; empty for the cache only"),
                field("expires", "Expires", "Such as 7d; empty for the server's own rule"),
                field("priority", "Priority", "Higher goes first; 0 is usual", { inputmode: "numeric" })))),
            h("footer", {}, h("p", { class: "why", id: "go-why", role: "status" }), button("Close", () => this.dialog.close(), { look: "quiet" }), this.go));
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            if (this.address.value.trim()) this.#addAddresses();
            else this.#submit();
        });
        form.addEventListener("change", (event) => {
            if (!event.target.matches("[name=preset], #set-start, #set-duration, #set-output")) return;
            clearTimeout(this.#replan);
            this.#replan = setTimeout(() => this.#entries.forEach((entry) => entry.makePlan()), 150);
        });
        this.address.addEventListener("keydown", (event) => {
            if (event.key !== "Enter" || event.shiftKey) return;
            event.preventDefault();
            this.#addAddresses();
        });
        this.address.addEventListener("input", () => {
            this.address.rows = Math.min(6, this.address.value.split("\n").length);
            this.changed();
        });
        fillDialog(this.dialog, h("header", {}, h("h2", { id: "submit-title" }, "New export"), iconButton("cancel", "Close", () => this.dialog.close())), form);
        this.changed();
    }

    #takeDrops() {
        const veil = $("#drop");
        let depth = 0;
        const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
        addEventListener("dragenter", (event) => {
            if (hasFiles(event)) veil.hidden = ++depth < 1;
        });
        addEventListener("dragleave", (event) => {
            if (hasFiles(event)) veil.hidden = --depth < 1;
        });
        addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault());
        addEventListener("drop", (event) => {
            depth = 0;
            veil.hidden = true;
            if (!hasFiles(event)) return;
            event.preventDefault();
            if ($("#new-export").disabled) return;
            this.open();
            this.addFiles(event.dataTransfer.files);
        });
    }

    async #loadPresets() {
        if (this.#presets) return;
        const list = $(".preset-list", this.presets);
        try {
            this.#presets = listOf(await get("v1/presets"), "presets");
        } catch (problem) {
            list.replaceChildren(emptyState("The presets can't be shown", visible(problem.message), button("Try again", () => this.#loadPresets())));
            return;
        }
        list.replaceChildren(...this.#presets.map((preset) => h(
            "label", { class: "preset" },
            h("input", { type: "radio", name: "preset", value: preset.name, checked: preset.name === "medium" }),
            h("span", { class: "preset-name" }, foreign(preset.name)), h("span", { class: "preset-about" }, visible(preset.description)),
            h("span", { class: "preset-facts" }, presetFacts(preset)))));
        list.setAttribute("aria-busy", "false");
    }

    presetNames() {
        return this.#presets?.map((preset) => preset.name) ?? [];
    }

    addFiles(files) {
        for (const file of files) this.#add(new Entry({ file }, this), (entry) => entry.upload());
    }

    #addAddresses() {
        const lines = this.address.value.split("\n").map((line) => line.trim()).filter(Boolean);
        this.address.value = "";
        this.address.rows = 1;
        for (const source of lines) this.#add(new Entry({ source }, this), (entry) => entry.makePlan());
        this.changed();
    }

    #add(entry, begin) {
        this.#entries.push(entry);
        this.list.append(entry.element);
        begin(entry);
        this.changed();
    }

    remove(entry) {
        entry.asked = Infinity;
        entry.sending?.cancel();
        this.#entries = this.#entries.filter((other) => other !== entry);
        const next = entry.element.nextElementSibling ?? entry.element.previousElementSibling;
        entry.element.remove();
        (next ? $("button[aria-label^=Remove]", next) : this.address).focus();
        this.changed();
    }

    changed() {
        const ready = this.#entries.filter((entry) => entry.isReady);
        const busy = this.#entries.filter((entry) => entry.sending || entry.isPlanning);
        const adds = Boolean(this.address.value.trim());
        write(this.go, adds ? "Add and show the plan" : ready.length > 1 ? `Export ${whole(ready.length)} files` : "Export");
        this.go.disabled = !adds && !ready.length;
        write($("#go-why", this.dialog), busy.length ? `${whole(busy.length)} still in work` : !this.#entries.length && !adds ? "Add an address or a file first" : "");
        this.list.hidden = !this.#entries.length;
    }

    async #submit() {
        const ready = this.#entries.filter((entry) => entry.isReady);
        if (!ready.length) return;
        this.go.disabled = true;
        const settings = this.settings;
        let [accepted, known] = [0, 0];
        for (const entry of ready) {
            try {
                entry.key ??= idempotencyKey();
                const job = await call("POST", "v1/jobs", { ...settings, source: entry.source }, { headers: { "Idempotency-Key": entry.key } });
                if (entry.file) sentFiles.set(sourcesOf(job.source)[0], entry.file);
                accepted += 1;
                known += hasEnded(job) ? 1 : 0;
                this.#entries = this.#entries.filter((other) => other !== entry);
                entry.element.remove();
            } catch (problem) {
                entry.key = null;
                report(problem);
            }
        }
        this.changed();
        if (!accepted) return;
        const queued = accepted - known;
        if (queued) notice(queued === 1 ? "The export is in the queue." : `${whole(queued)} exports are in the queue.`);
        if (known) notice(known === 1 ? "This export was done before." : `${whole(known)} exports were done before.`);
        this.submitted();
        if (!this.#entries.length) this.dialog.close();
    }
}
