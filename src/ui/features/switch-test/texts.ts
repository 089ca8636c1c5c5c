/** Words of the switch test. */
export const switchTestTexts = {
  title: "Switch Test",
  note: "These switches only demonstrate how switches behave here: nothing is saved, and nothing is blocked.",
  on: "On",
  off: "Off",
  switches: [
    { label: "IP Blocking", hint: "Refuse requests from listed addresses" },
    { label: "Country Blocking", hint: "Refuse requests by the country of their address" },
    { label: "Rate Limiting", hint: "Slow down who asks too often" },
    { label: "Pattern Detection", hint: "Look for requests that resemble attacks" },
  ],
} as const;
