import type { Part } from "./part.ts";

const blockedWord = "please-block-me";

/** Parts about the plugin's surroundings. */
export const furtherParts: Part[] = [
  {
    id: "activity",
    title: "Activity log",
    text: "Entries in the installation's activity log, under the plugin's name, for what admins may want to know later.",
    tries: [{ label: "Write an entry", call: ["POST", "/activity"] }],
    files: ["backend/parts/activity.ts"],
  },
  {
    id: "schedule",
    title: "Schedule",
    text: "Jobs that run at an interval of one second or more, on one of your servers. The Overview tab shows the last run.",
    tries: [{ label: "Show the last run", call: ["GET", "/minutes"] }],
    files: ["backend/parts/schedule.ts"],
  },
  {
    id: "people",
    title: "Users and email",
    text: "Look up a user's name and role by ID, and send up to a hundred emails an hour from this server's email address.",
    tries: [
      { label: "Look me up", call: ["GET", "/person"] },
      {
        label: "Send an email",
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
    text: "Requests over the internet to hosts that the manifest lists and an admin approved. All other requests are refused and logged.",
    tries: [
      { label: "Request example.com", call: ["GET", "/reach"] },
      { label: "Request another host", call: ["GET", "/reach-elsewhere"] },
    ],
    files: ["backend/parts/network.ts"],
  },
  {
    id: "guard",
    title: "Request rules",
    text: "Rules that the host applies to every request: IP addresses, countries, words and rates. This one blocks a word in the query for everyone except admins until you remove it: your request succeeds and is counted, a visitor's is refused.",
    tries: [
      { label: "Block the word", call: ["PUT", "/guard"], body: { word: blockedWord } },
      { label: "Send the word", call: ["GET", `/hello?name=${blockedWord}`] },
      { label: "Show the count", call: ["GET", "/guard"] },
      { label: "Remove the rule", call: ["DELETE", "/guard"] },
    ],
    files: ["backend/parts/guard.ts"],
  },
  {
    id: "events",
    title: "Events",
    text: "Sign-ins, new accounts, and changes to settings and plugins, as they happen on this server.",
    tries: [{ label: "Show recent events", call: ["GET", "/events"] }],
    files: ["backend/parts/events.ts"],
  },
  {
    id: "neighbours",
    title: "Other plugins",
    text: "Routes of the plugins that the manifest lists, called as this plugin.",
    tries: [{ label: "Ask licensing", call: ["GET", "/licence"] }],
    files: ["backend/parts/neighbours.ts"],
  },
  {
    id: "log",
    title: "Log",
    text: "The plugin's own log, up to a hundred lines a minute: on the Log tab, and in the terminal while you develop.",
    tries: [
      {
        label: "Write a line at each level",
        field: { label: "Line", type: "text", value: "Just looking" },
        call: ["POST", "/log"],
        body: (typed) => ({ text: typed }),
      },
    ],
    files: ["backend/parts/log.ts"],
  },
  {
    id: "life",
    title: "Health, updates and shutdown",
    text: "The host checks a plugin's health every 30 seconds; a plugin is restarted after three failed health checks in a row. A newer version can migrate older data, and the plugin is notified before it stops.",
    tries: [
      { label: "Check health", call: ["GET", "/life"] },
      { label: "Fail health checks", call: ["POST", "/health"], body: { isWell: false } },
      { label: "Pass health checks", call: ["POST", "/health"], body: { isWell: true } },
    ],
    files: ["backend/parts/life.ts"],
  },
];
