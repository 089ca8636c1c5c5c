import { describe, expect, test } from "bun:test";
import { unsetSite } from "#contract/site.ts";
import { roles } from "#contract/users.ts";
import {
  accountDeletedMail,
  accountOpenedMail,
  addressTakenMail,
  authenticatorRemovedMail,
  circumstanceLines,
  confirmationsFailedMail,
  invitationMail,
  newDeviceMail,
  passkeyAddedMail,
  passkeyRemovedMail,
  passkeySuspectMail,
  passwordBreachedMail,
  passwordChangedMail,
  providerLinkedMail,
  providerUnlinkedMail,
  recoveryCodesRenewedMail,
  recoveryCodeUsedMail,
  resetPasswordMail,
  roleChangedMail,
  secondFactorEnabledMail,
  secondFactorRemovedMail,
  verificationMail,
} from "./account-mails.ts";
import {
  addressWantedMail,
  confirmNewEmailMail,
  emailChangedMail,
  emailChangeMail,
} from "./email-change-mails.ts";
import { fillMail, greeting } from "./layout.ts";
import { pluginQuarantinedMail, publisherReplacedMail } from "./plugin-mails.ts";

const link = "https://app.example/verify-email?token=abc&x=1";
const accountLink = "https://app.example/account/security";
const circumstances = { at: new Date("2026-03-01T09:05:00Z"), ip: "192.0.2.7", device: "Firefox on Linux" };
const templates = [
  { what: "verification", render: () => verificationMail({ link, ...circumstances }) },
  {
    what: "address taken",
    render: (name: string) => addressTakenMail({ name, loginLink: link, ...circumstances }),
  },
  {
    what: "invitation",
    render: (name: string) =>
      invitationMail({ name, inviter: "Grace", note: null, role: "user", expiresAt: circumstances.at, link }),
  },
  { what: "opened account", render: () => accountOpenedMail({ link }) },
  ...[true, false].flatMap((needsApproval) => [
    { what: "new address", render: () => confirmNewEmailMail({ link, needsApproval }) },
    {
      what: "waiting change of address",
      render: (name: string) =>
        emailChangeMail({ name, newEmail: "new@b.example", link, needsApproval, ...circumstances }),
    },
  ]),
  {
    what: "wanted address",
    render: (name: string) => addressWantedMail({ name, loginLink: link, ...circumstances }),
  },
  {
    what: "changed address",
    render: (name: string) => emailChangedMail({ name, newEmail: "new@b.example", link, ...circumstances }),
  },
  { what: "reset", render: (name: string) => resetPasswordMail({ name, link }) },
  {
    what: "password changed",
    render: (name: string) =>
      passwordChangedMail({
        name,
        resetLink: link,
        removed: null,
        linked: [],
        accountLink,
        ...circumstances,
      }),
  },
  {
    what: "new device",
    render: (name: string) => newDeviceMail({ name, resetLink: link, ...circumstances }),
  },
  {
    what: "breached password",
    render: (name: string) => passwordBreachedMail({ name, resetLink: link, at: circumstances.at }),
  },
  {
    what: "linked provider",
    render: (name: string) => providerLinkedMail({ name, provider: "GitHub", otherWaysIn: [], link }),
  },
  {
    what: "unlinked provider",
    render: (name: string) =>
      providerUnlinkedMail({ name, provider: "Google", accountLink: link, ...circumstances }),
  },
  {
    what: "quarantined plugin",
    render: (name: string) =>
      pluginQuarantinedMail({
        ...{ name, plugin: "Visitor notes", reason: "It used 612 of 500 ms.", isFinal: true, link },
      }),
  },
  {
    what: "replaced publisher",
    render: (name: string) =>
      publisherReplacedMail({
        ...{ name, plugin: "Visitor notes", fromName: "Ada", toName: "no publisher (unsigned)", link },
        ...circumstances,
      }),
  },
  ...[
    { what: "enabled second factor", mail: secondFactorEnabledMail },
    { what: "failed confirmations", mail: confirmationsFailedMail },
    ...roles.map((role) => ({
      what: `the role ${role}`,
      mail: (change: Parameters<typeof recoveryCodesRenewedMail>[0]) => roleChangedMail({ ...change, role }),
    })),
    { what: "removed second factor", mail: secondFactorRemovedMail },
    { what: "replaced recovery codes", mail: recoveryCodesRenewedMail },
    { what: "removed authenticator app", mail: authenticatorRemovedMail },
    ...[true, false].map((isLastFactor) => ({
      what: `removed passkey, ${isLastFactor ? "the last" : "not the last"} factor`,
      mail: (change: Parameters<typeof recoveryCodesRenewedMail>[0]) =>
        passkeyRemovedMail({ ...change, passkeyName: "Laptop", isLastFactor }),
    })),
    ...[passkeyAddedMail, passkeySuspectMail].map((mail) => ({
      what: mail === passkeyAddedMail ? "added passkey" : "blocked passkey",
      mail: (change: Parameters<typeof recoveryCodesRenewedMail>[0]) =>
        mail({ ...change, passkeyName: "Laptop" }),
    })),
    ...[0, 1, 3, 9].map((left) => ({
      what: `used recovery code, ${left} left`,
      mail: (change: Parameters<typeof recoveryCodesRenewedMail>[0]) =>
        recoveryCodeUsedMail({ ...change, left }),
    })),
  ].map(({ what, mail }) => ({
    what,
    render: (name: string) => mail({ name, accountLink: link, ...circumstances }),
  })),
  {
    what: "deleted account",
    render: (name: string) => accountDeletedMail({ name, contactLink: link, ...circumstances }),
  },
];

const northwind = {
  ...{ ...unsetSite, name: "North & <b>wind", legalName: "Northwind Ltd", address: "1 <Harbor> St" },
  supportEmail: "help@b.example",
};

describe.each(templates)("the $what email", ({ render }) => {
  test("calls the site what it is called, and says who runs it", () => {
    const { subject, text, html } = fillMail(render("Ada"), northwind, "https://b.example");
    expect(`${subject} ${text} ${html}`).not.toMatch(/Atrium|[\ue000\ue001]/);
    expect(text).toEndWith("\nNorth & <b>wind\nNorthwind Ltd\n1 <Harbor> St\nhelp@b.example\n");
    expect(html).toContain(">North &amp; &lt;b&gt;wind</td>");
    expect(html).toContain("<br>Northwind Ltd<br>1 &lt;Harbor&gt; St<br>help@b.example</td>");
    expect(html).not.toMatch(/<b>|<Harbor/);
    expect(fillMail(render("Ada"), unsetSite, "").text).toEndWith("\nAtrium\n");
  });

  test("shows the logo in place of the name, where there is one that mail programs can show", () => {
    const id = "0123456789abcdef".repeat(2);
    const brand = (logo: string) => {
      const { html } = fillMail(render("Ada"), { ...northwind, logo }, "https://b.example");
      return /class="brand"[^>]*>(.*?)<\/td>/.exec(html)?.[1];
    };
    expect(brand(`${id} full-90x40.svg email-144x64.png`)).toBe(
      `<img class="logo" src="https://b.example/site/${id}/email-144x64.png" width="72" height="32" alt="North &amp; &lt;b&gt;wind" style="display:block;border:0">`,
    );
    expect(brand(`${id} full-90x40.svg`)).toBe("North &amp; &lt;b&gt;wind");
  });

  test("has its link in the button, below it and in the text, and says why it came", () => {
    const { text, html } = render("Ada");
    expect(html.split(`href="${link.replace("&", "&amp;")}"`)).toHaveLength(3);
    expect(text).toContain(`\n${link}\n`);
    expect(text).toMatch(/You get this e?mail because/);
    expect(html).toMatch(/You get this e?mail because/);
  });

  test("has neither link nor name in the subject", () => {
    expect(fillMail(render("Ada"), unsetSite, "").subject).toMatch(/^[A-Za-z -]+$/);
  });

  test("loads nothing from elsewhere and runs nothing", () => {
    const { html } = render("Ada");
    expect(html).not.toMatch(/<(img|link|script|iframe|object|form)\b|url\(|@import|\son\w+=/i);
    expect([...html.matchAll(/https?:\/\/[^"<\s]+/g)].map(([found]) => found.slice(0, 19))).toEqual(
      Array(3).fill("https://app.example"),
    );
  });

  test.each([
    `<img src=x onerror=alert(1)>`,
    `"><script>alert(1)</script>`,
    `Ada' style='x`,
    "Ada & Bob <3",
    "{{7*7}} <%= 7*7 %>",
  ])("L1: shows the name %j as text or leaves it out", (name) => {
    const { html } = render(name);
    expect(html).toBe(render("Ada").html.replace("Hello Ada,", escaped(greeting(name))));
    expect(html).not.toContain("<script");
    expect(html).not.toContain("<img");
  });

  test("fits the 102 kB beyond which mail programs cut", () => {
    expect(render("x".repeat(100)).html.length).toBeLessThan(10_000);
  });
});

test("L1: the name of a passkey is text", () => {
  const change = { name: "Ada", passkeyName: "<img src=x onerror=alert(1)>", accountLink, ...circumstances };
  for (const mail of [passkeyAddedMail, passkeySuspectMail])
    expect(mail(change).html).toContain("“&lt;img src=x onerror=alert(1)&gt;”");
});

test("circumstances are told in a line each, the time in UTC", () => {
  expect(circumstanceLines(circumstances)).toEqual([
    "Time: 1 March 2026 at 09:05 UTC",
    "IP address: 192.0.2.7",
    "Device: Firefox on Linux",
  ]);
});

test.each([
  verificationMail,
  (said: typeof circumstances) => addressTakenMail({ name: "Ada", loginLink: link, ...said }),
])("an email about a registration tells time, browser and half of the network (%#)", (render) => {
  const { text, html } = render({ link, ...circumstances });
  for (const part of [text, html]) {
    expect(part).toContain("on 1 March 2026 at 09:05 UTC, from Firefox on Linux, network 192.0.x.x.");
    expect(part).not.toContain(circumstances.ip);
  }
});

describe("of what else opens the account", () => {
  const changed = (linked: string[], removed: string | null = null) =>
    passwordChangedMail({ name: "Ada", resetLink: link, removed, linked, accountLink, ...circumstances });
  const linkedMail = (otherWaysIn: string[]) =>
    providerLinkedMail({ name: "Ada", provider: "GitHub", otherWaysIn, link });

  test("a changed password's email names the linked providers, and where to unlink them", () => {
    const where = `can still be used to sign in. Unlink any that are not yours on your account page: ${accountLink}`;
    for (const part of ["text", "html"] as const) {
      expect(changed(["Google"])[part]).toContain(`Google ${where}`);
      expect(changed(["Google", "GitHub"])[part]).toContain(`Google and GitHub ${where}`);
      expect(changed([])[part]).not.toContain("still open");
      expect(changed([])[part]).not.toContain(accountLink);
    }
  });

  test("a changed password's email says what was removed with the old one", () => {
    const removed = "Removed: Google (connected 3 days ago).";
    for (const part of ["text", "html"] as const) {
      expect(changed([], removed)[part]).toContain(`Your password was changed. ${removed}`);
      expect(changed([])[part]).not.toContain("Removed");
    }
  });

  test("a linked provider's email names the other sign-in methods", () => {
    expect(linkedMail(["your password", "Google"]).text).toContain(
      "Other ways to sign in to your account: your password and Google.",
    );
    expect(linkedMail([]).text).not.toContain("else");
  });
});

describe("a greeting", () => {
  test.each([
    ["Ada Lovelace", "Hello Ada Lovelace,"],
    ["  Ada \t\r\n Lovelace ", "Hello Ada Lovelace,"],
    ["J. R. R. Tolkien", "Hello J. R. R. Tolkien,"],
    ["Łukasz Żółć", "Hello Łukasz Żółć,"],
    ["", "Hello,"],
    ["\u202e\u200b", "Hello,"],
    ["visit evil\u3002com now", "Hello,"],
    ["Go to evil\u2024com", "Hello,"],
    ["\u{1d556}\u{1d567}\u{1d55a}\u{1d55d}\uff0ecom", "Hello,"],
    ["http:evil", "Hello,"],
    ["see 203.0.113.9", "Hello,"],
  ])("for %j is %j", (name, expected) => {
    expect(greeting(name)).toBe(expected);
  });

  test.each(["Win at https://evil.example", "www.evil", "evil.example", "call eve@evil", "a\\b"])(
    "leaves out %j, which advertises",
    (name) => expect(greeting(name)).toBe("Hello,"),
  );

  test("cuts a long name, and never within a character", () => {
    expect(greeting("😀".repeat(200))).toBe(`Hello ${"😀".repeat(59)}…,`);
  });
});

const escaped = (text: string) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
