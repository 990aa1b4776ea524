// Joins the views, the stream of events, the session, the theme and the keys.

import { EventFeed, call, get, jobPath, listOf, onLocked, problemOf, send } from "./api.js";
import { $, facts, h, mark, permit, report, visible, whole, write } from "./dom.js";
import { JobDetail } from "./detail.js";
import { JobList } from "./jobs.js";
import { Player } from "./player.js";
import { ResultsView, cacheFigures } from "./results.js";
import { SubmitForm } from "./submit.js";
import { ActivityView, FoldersView, WorkersView } from "./system.js";

const viewSeconds = 10;
const newsSeconds = 5;

const store = {
    get(key) {
        try {
            return localStorage.getItem(`takeup.${key}`);
        } catch {
            return null;
        }
    },
    set(key, value) {
        try {
            localStorage.setItem(`takeup.${key}`, value);
        } catch {
            // A browser that keeps nothing forgets the choice with the page.
        }
    },
};

// Views

const player = new Player();
const play = async (job) => {
    // A list knows no range; the player needs to know where the output begins in the source.
    player.open(job.spec ? job : await get(jobPath(job.id)).catch(() => job));
};
const detail = new JobDetail({ play });
const jobs = new JobList({ open: (id) => detail.open(id), play, listen: showLoad });
const submit = new SubmitForm({ submitted: () => jobs.refreshSoon() });
const views = {
    jobs: { show: () => jobs.load(), tick: () => jobs.tick() },
    results: new ResultsView({ play }),
    folders: new FoldersView(),
    activity: new ActivityView(),
    workers: new WorkersView(),
};
const titles = Object.fromEntries(Object.keys(views).map((key) => [key, $(`#title-${key}`).textContent]));
let current = null;

function openJob(id) {
    try {
        detail.open(decodeURIComponent(id));
    } catch {
        // An address that cannot be decoded names no job.
    }
}

function showView() {
    const [name, id] = location.hash.slice(1).split("/");
    const next = views[name] ? name : "jobs";
    if (id && next === "jobs") openJob(id);
    if (next === current) return;
    const isFirst = current === null;
    current = next;
    for (const key of Object.keys(views)) $(`#view-${key}`).hidden = key !== next;
    for (const link of document.querySelectorAll("nav a")) mark(link, "aria-current", link.hash === `#${next}` ? "page" : null);
    document.title = `${titles[next]} – Takeup`;
    views[next].show();
    if (!isFirst) $("#main").focus({ preventScroll: true });
}

function showLoad({ running }) {
    document.documentElement.classList.toggle("is-working", running > 0);
}

async function glance() {
    try {
        const { "Hit rate": rate, "Data saved": saved } = cacheFigures(await get("v1/cache/stats"));
        $("#glance").replaceChildren(...facts([["Hit rate", rate], ["Data saved", saved]]));
    } catch {
        // The figures are a side matter; the banner tells when the server is away.
    }
}

setInterval(() => {
    if (document.hidden) return;
    views[current].tick();
    detail.tick();
    glance();
}, viewSeconds * 1000);

// Events

const tally = { succeeded: 0, failed: 0 };
let newsTimer = 0;

/** Tells a screen reader of ends, together and not too often. */
function tellNews(finished) {
    for (const { status } of finished) tally[status === "failed" ? "failed" : "succeeded"] += status !== "cancelled";
    if (newsTimer || !(tally.succeeded || tally.failed)) return;
    newsTimer = setTimeout(() => {
        const parts = [
            tally.succeeded ? `${whole(tally.succeeded)} ${tally.succeeded === 1 ? "export" : "exports"} done` : null,
            tally.failed ? `${whole(tally.failed)} failed` : null];
        write($("#news"), parts.filter(Boolean).join(", "));
        Object.assign(tally, { succeeded: 0, failed: 0 });
        newsTimer = 0;
    }, newsSeconds * 1000);
}

let wasBroken = false;
let countdown = 0;
/** Whether the server waits for a token: then nothing is broken. */
let isSignedOut = false;

function showLink(state, word) {
    const link = $("#link");
    link.dataset.state = state;
    write(link.firstElementChild, word);
}

function tellSignedOut() {
    clearInterval(countdown);
    $("#offline").hidden = true;
    showLink("signed-out", "Signed out");
}

function tellLink(state, seconds, failures) {
    const isLive = state === "live";
    if (!isLive && isSignedOut) {
        wasBroken = true;
        tellSignedOut();
        return;
    }
    showLink(isLive ? "live" : "broken", isLive ? "Live" : failures > 1 ? "Offline" : "Reconnecting");
    clearInterval(countdown);
    // A short break, such as a restart, is no news.
    $("#offline").hidden = failures < 2;
    if (isLive) {
        if (wasBroken) {
            views[current].show();
            glance();
        }
        write($("#offline span"), "");
        wasBroken = false;
        return;
    }
    wasBroken = true;
    // Announced once; the seconds then go down in silence.
    if (failures > 1) write($("#offline span"), "The connection to the server is lost. What you see may be old.");
    let left = seconds;
    const count = () => write($("#offline button"), left > 0 ? `Try now (${left})` : "Trying");
    count();
    countdown = setInterval(() => {
        left = Math.max(0, left - 1);
        count();
    }, 1000);
}

const feed = new EventFeed((batch) => {
    jobs.take(batch);
    detail.take(batch);
    tellNews(batch.finished);
}, tellLink);
$("#offline button").addEventListener("click", () => feed.reconnect());

// The session

onLocked(() => new Promise((resolve) => {
    const dialog = $("#session");
    const form = $("form", dialog);
    const field = $("#token");
    const keepOpen = (event) => event.preventDefault();
    isSignedOut = true;
    tellSignedOut();
    const tryToken = async (event) => {
        event.preventDefault();
        write($("#token-error"), "");
        try {
            const response = await send("POST", "session", { body: { token: field.value.trim() } });
            if (!response.ok) throw await problemOf(response);
        } catch (problem) {
            write($("#token-error"), problem.status === 401 || problem.status === 403 ? "This token is not valid." : visible(problem.message));
            field.select();
            return;
        }
        field.value = "";
        form.removeEventListener("submit", tryToken);
        dialog.removeEventListener("cancel", keepOpen);
        dialog.close();
        isSignedOut = false;
        showLink("connecting", "Connecting");
        knowSession();
        resolve();
    };
    form.addEventListener("submit", tryToken);
    dialog.addEventListener("cancel", keepOpen);
    dialog.showModal();
    field.focus();
}));

const scopeWords = { read: "may look", submit: "may look and submit", admin: "may do all" };

/** What this caller may do: the server tells, so that the page need not try. */
async function knowSession() {
    const { needsToken, scope } = await get("session").catch(() => ({}));
    if (scopeWords[scope]) permit(scope);
    $("#sign-out").hidden = !needsToken || scope === "anyone";
    write($("#who"), needsToken && scopeWords[scope] ? `This session ${scopeWords[scope]}.` : "");
}

$("#sign-out").addEventListener("click", async () => {
    try {
        await call("DELETE", "session");
        location.reload();
    } catch (problem) {
        report(problem);
    }
});

// Theme

const themes = ["", "light", "dark"];
const themeWords = { "": "as the system", light: "light", dark: "dark" };

function setTheme(theme) {
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    const label = `Theme: ${themeWords[theme]}`;
    mark($("#theme"), "aria-label", label);
    mark($("#theme"), "title", label);
    store.set("theme", theme);
}

function nextTheme() {
    const here = document.documentElement.dataset.theme ?? "";
    setTheme(themes[(themes.indexOf(here) + 1) % themes.length]);
}
setTheme(document.documentElement.dataset.theme ?? "");
$("#theme").addEventListener("click", nextTheme);

// Keys

const help = $("#help");
const keysOn = $("#keys-on");
keysOn.checked = store.get("keys") !== "off";
keysOn.addEventListener("change", () => store.set("keys", keysOn.checked ? "on" : "off"));

function showHelp() {
    help.showModal();
}
$("#help-open").addEventListener("click", showHelp);
$("[data-close]", help).addEventListener("click", () => help.close());
$("#new-export").addEventListener("click", () => submit.open());

const keys = {
    n: () => $("#new-export").click(), "?": showHelp, t: nextTheme,
    "/": () => {
        location.hash = "#jobs";
        $("#find").focus();
    },
    j: () => current === "jobs" && jobs.step(1),
    k: () => current === "jobs" && jobs.step(-1),
};
Object.keys(views).forEach((key, index) => (keys[index + 1] = () => (location.hash = `#${key}`)));

addEventListener("keydown", (event) => {
    if (!keysOn.checked || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select, dialog") || $("dialog[open]")) return;
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
});

// A click beside a dialog closes it.
for (const dialog of document.querySelectorAll("dialog:not(#session)")) {
    dialog.addEventListener("mousedown", (event) => {
        if (event.target !== dialog) return;
        const { left, right, top, bottom } = dialog.getBoundingClientRect();
        const isInside = event.clientX >= left && event.clientX <= right && event.clientY >= top && event.clientY <= bottom;
        if (!isInside) dialog.close();
    });
}

addEventListener("hashchange", showView);
showView();
feed.open();
glance();
knowSession();
get("v1/presets").then((answer) => {
    $("#find-preset").append(...listOf(answer, "presets").map(({ name }) => h("option", { value: name }, visible(name))));
}).catch(() => null);
