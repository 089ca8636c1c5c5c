import type { Part } from "./part.ts";

const blockedWord = "please-block-me";

/** Parts that reach beyond the plugin itself. */
export const furtherParts: Part[] = [
  {
    id: "activity",
    title: "Activity log",
    text: "Lines in the installation's activity log, under the plugin's name: for what admins will want to know later.",
    tries: [{ label: "Write a line", call: ["POST", "/activity"] }],
    files: ["backend/parts/activity.ts"],
  },
  {
    id: "schedule",
    title: "Schedule",
    text: "Work at regular times, from one second on. Of several servers one runs it. The tab Overview shows when it ran last.",
    tries: [{ label: "When did it run?", call: ["GET", "/minutes"] }],
    files: ["backend/parts/schedule.ts"],
  },
  {
    id: "people",
    title: "People and mails",
    text: "A person's name and role by the id, and mails from this server's address: a hundred an hour at most.",
    tries: [
      { label: "Look me up", call: ["GET", "/person"] },
      {
        label: "Send a mail",
        field: { label: "To", type: "email", value: "" },
        call: ["POST", "/mail"],
        body: (typed) => ({ to: typed }),
      },
    ],
    files: ["backend/parts/people.ts"],
  },
  {
    id: "network",
    title: "Other servers",
    text: "Calls to the hosts that the manifest names and admins allowed, over the internet alone. Every other address is refused, and the refusal is written down.",
    tries: [
      { label: "Ask example.com", call: ["GET", "/reach"] },
      { label: "Ask somebody else", call: ["GET", "/reach-elsewhere"] },
    ],
    files: ["backend/parts/network.ts"],
  },
  {
    id: "guard",
    title: "Rules for requests",
    text: "Rules that the host applies to every request by itself: addresses, countries, words, and how often. Here one blocks a word in the query, for everybody but administrators, until you lift it: your call gets through and is counted, a visitor's is refused.",
    tries: [
      { label: "Block the word", call: ["PUT", "/guard"], body: { word: blockedWord } },
      { label: "Call with the word", call: ["GET", `/hello?name=${blockedWord}`] },
      { label: "How often?", call: ["GET", "/guard"] },
      { label: "Lift it", call: ["DELETE", "/guard"] },
    ],
    files: ["backend/parts/guard.ts"],
  },
  {
    id: "events",
    title: "Events",
    text: "Sign-ins, registrations, changes of settings and of plugins, as they happen on this server.",
    tries: [{ label: "What happened last?", call: ["GET", "/events"] }],
    files: ["backend/parts/events.ts"],
  },
  {
    id: "neighbours",
    title: "Other plugins",
    text: "Routes of the plugins that the manifest names, called as this plugin.",
    tries: [{ label: "Ask licensing", call: ["GET", "/licence"] }],
    files: ["backend/parts/neighbours.ts"],
  },
  {
    id: "log",
    title: "Log",
    text: "The plugin's own log: in the tab Log, in the terminal while you work on the plugin, a hundred lines a minute.",
    tries: [
      {
        label: "Write a line of each level",
        field: { label: "Line", type: "text", value: "Just looking" },
        call: ["POST", "/log"],
        body: (typed) => ({ text: typed }),
      },
    ],
    files: ["backend/parts/log.ts"],
  },
  {
    id: "life",
    title: "Health, updates and the end",
    text: "A plugin is asked how it is every 30 seconds, and started anew after three bad answers. A newer version may bring older data along, and every end is announced.",
    tries: [
      { label: "How is it?", call: ["GET", "/life"] },
      { label: "Feel unwell", call: ["POST", "/health"], body: { isWell: false } },
      { label: "Feel well again", call: ["POST", "/health"], body: { isWell: true } },
    ],
    files: ["backend/parts/life.ts"],
  },
];
