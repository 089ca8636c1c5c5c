import type { LegalDocument, LegalEntry } from "./legal-document.ts";

/** How long each kind of data is kept, as the software is delivered. */
export const privacyRetention: readonly LegalEntry[] = [
  {
    name: "Account",
    purpose: "Name, email address, role, password hash, linked accounts",
    kept: "until you delete it",
  },
  { name: "Registration", purpose: "A registration that was not confirmed", kept: "24 hours" },
  {
    name: "Invitation",
    purpose: "Email address, name, note, who sent it, times",
    kept: "30 days after it expired",
  },
  {
    name: "Session",
    purpose: "IP address, user agent, times",
    kept: "until sign-out, 30 days after its last use, or 180 days after signing in; for administrators after 30 minutes without use or 12 hours, unless we set other times",
  },
  {
    name: "Two-factor authentication",
    purpose:
      "Key of your authenticator app, encrypted; public keys of your passkeys; your recovery codes, as hashes",
    kept: "until you turn it off",
  },
  { name: "Known device", purpose: "That a browser has signed in to your account before", kept: "1 year" },
  {
    name: "Failed sign-ins",
    purpose: "Number of wrong passwords for an email address",
    kept: "until the next successful sign-in; 30 days if there is no account",
  },
  { name: "Contact message", purpose: "What you wrote, and from where", kept: "until we delete it" },
  { name: "Email record", purpose: "Recipient, subject, whether it was sent", kept: "30 days" },
  {
    name: "Activity log",
    purpose: "What was done, email address, IP address, user agent",
    kept: "forever, or until we set a retention period or delete older entries; longer than the account",
  },
  {
    name: "Page speed",
    purpose: "Counts per page, if measured at all",
    kept: "10 days by hour, 90 days by day",
  },
  { name: "Suspicious request", purpose: "What the firewall records, if it is on", kept: "7 days" },
  { name: "Server log", purpose: "Requests with IP address", kept: "as long as the operator configures" },
];

/** Privacy policy: what an installation of Atrium stores about users, as it is delivered. */
export const privacy: LegalDocument = {
  path: "/privacy",
  lead: "What data this site stores about you, why and for how long, and how to view, download or delete it.",
  sections: [
    {
      id: "controller",
      title: "Who is responsible",
      blocks: [
        "The operator of this installation decides what happens to your data and is its controller, called \u201cwe\u201d below. All data is stored on machines that we run or rent. The makers of the software don\u2019t receive any of it.",
      ],
    },
    {
      id: "summary",
      title: "The short version",
      blocks: [
        {
          list: [
            "You can read the public pages without an account, and they set no cookies.",
            "Your account stores what is needed to sign you in and keep others out.",
            "Account activity is recorded in an activity log with your email address, IP address and browser. The log is kept when an account is deleted.",
            "There is no advertising and no tracking, and we don't sell data. We may measure how fast pages load, without cookies and without anything that identifies a visitor.",
            "You can download your data and delete your account yourself at any time. This does not include the activity log.",
          ],
        },
      ],
    },
    {
      id: "account",
      title: "Your account",
      blocks: [
        "We store your name, your email address and when it was confirmed, when the account was created and changed, your role and whether the account is disabled. We store your password only as a hash (argon2id), which cannot be turned back into the password. We need this data to fulfill our agreement with you.",
        "If you turn on two-factor authentication, we also store the key that your authenticator app uses, encrypted, the public keys and names of your passkeys, and your recovery codes as hashes.",
        "A registration that is not confirmed is stored separately until its link expires.",
      ],
    },
    {
      id: "sessions",
      title: "Sessions and devices",
      blocks: [
        "For each browser you are signed in with, we store the IP address, the browser\u2019s description of itself (user agent), and when the session started, was last used and expires. You can view and end your sessions on your account page. A second, longer-lived cookie recognizes a browser you have used before, so that strangers who guess passwords can\u2019t lock you out.",
        "We count wrong passwords per email address and IP address to stop password guessing. We have a legitimate interest in keeping accounts safe.",
      ],
    },
    {
      id: "contact",
      title: "Messages to us",
      blocks: [
        "We store what you send through the contact form: your name, email address, subject and message, along with the IP address and user agent it was sent from and, if you were signed in, your account. Our administrators read it to reply to you, and it may be emailed to them.",
      ],
    },
    {
      id: "mail",
      title: "Emails to you",
      blocks: [
        "We only send emails about your account: to confirm an email address, to set a new password and to notify you of sign-ins and changes. They pass through our mail server and yours. The text of an email is stored encrypted until it is sent, then deleted. Its recipient and subject are kept for a while for troubleshooting.",
      ],
    },
    {
      id: "logs",
      title: "Server logs",
      blocks: [
        "Each request is logged with its time, the kind of page or endpoint, the response status, the IP address, the user agent and, if you are signed in, your account ID. Secrets in URLs are left out. We use the logs to find errors and attacks.",
      ],
    },
    {
      id: "activity",
      title: "The activity log",
      blocks: [
        "Only our administrators can see the activity log. It records sign-ins, including failed ones; registrations and account changes; that a contact message was sent, and its subject; requests by signed-in users that change something; refused requests and rate limits that were reached; and what administrators do. Each entry holds the time, what was done and the outcome and, where known, the email address, account ID, IP address and user agent. For a failed sign-in, it holds what was entered as the email address, but never the password.",
        "We use the log to detect misuse and to prove what was done, in which we have a legitimate interest. For this reason, no entry can be changed, and the log is kept when the account is deleted. By default, the log is kept forever; entries are deleted sooner if we set a retention period or delete older entries. Because it also contains data about other users, it is not part of the file you can download. Contact us to find out what it holds about you, or to object.",
      ],
    },
    {
      id: "measuring",
      title: "Page speed measurements",
      blocks: [
        "The software includes a plugin that measures how fast pages load. It is off unless we enable it. If it is on, your browser records how long a page took to load, respond and stop shifting, and which page you opened next, and sends this when you leave the page. We store only counts per page: no cookie, no IP address and nothing else that identifies you. Browsers that send \u201cDo Not Track\u201d or \u201cGlobal Privacy Control\u201d are not measured.",
      ],
    },
    {
      id: "attacks",
      title: "Requests that look like attacks",
      blocks: [
        "The software also includes a firewall, which is off unless we enable it. For suspicious requests, it records the IP address and its country, the user agent, what was requested and, if you are signed in, your name and account ID. Secrets are left out. Blocked IP addresses stay on its list until the block expires or we remove them. Here, too, we have a legitimate interest in keeping the site safe.",
      ],
    },
    {
      id: "providers",
      title: "Sign-in providers",
      blocks: [
        "If you choose to sign in with Google, GitHub or another provider that we offer, your browser goes to their site, and they learn that you use this site. They send us your name, your email address and whether it is verified, and an ID that identifies you, which we store. We do not keep access to your account there.",
      ],
    },
    {
      id: "picture",
      title: "Your dashboard picture",
      blocks: [
        "The dashboard shows the picture that Gravatar has for your email address. Your browser requests it from gravatar.com, which sees your IP address and a hash of your email address. No other page does this, and nothing else on this site is loaded from a third party.",
      ],
    },
    {
      id: "storage",
      title: "Cookies and local storage",
      blocks: [
        "We use only what the site needs to work. The cookie policy lists every cookie and stored setting.",
      ],
    },
    { id: "retention", title: "How long data is kept", blocks: [{ entries: privacyRetention }] },
    {
      id: "rights",
      title: "Your rights",
      blocks: [
        "On your account page, you can change your name, download your data as a file and delete your account. Deleting your account also deletes its sessions, devices and linked accounts. Messages you sent are kept with the name and email address you entered in them, and so is the activity log. For everything else, such as access to a message or the activity log, an objection or a restriction, contact us.",
        "You can also file a complaint with the data protection authority where you live.",
      ],
    },
    {
      id: "safety",
      title: "How data is protected",
      blocks: [
        "Outside the operator\u2019s own machine, the site is served only over encrypted connections. Session tokens and emailed links are stored as hashes, so a copy of the database doesn\u2019t give access to any account. Stored secrets are encrypted with a key kept outside the database.",
      ],
    },
    {
      id: "changes",
      title: "Changes and questions",
      blocks: [
        "The text on this page is the current version. If we start using your data for something new, we will tell you first. If you have questions about your data, use the contact page.",
      ],
    },
  ],
};
