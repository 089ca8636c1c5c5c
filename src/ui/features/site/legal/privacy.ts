import type { LegalDocument, LegalEntry } from "./legal-document.ts";

/** How long each kind of data is kept, as the software is delivered. */
export const privacyRetention: readonly LegalEntry[] = [
  {
    name: "Account",
    purpose: "Name, address, role, password hash, connections",
    kept: "until you delete it",
  },
  { name: "Registration", purpose: "One that was not confirmed", kept: "24 hours" },
  {
    name: "Session",
    purpose: "IP address, user agent, times",
    kept: "until sign-out, or 30 days after its last use",
  },
  { name: "Known device", purpose: "That a browser signed in to your account before", kept: "1 year" },
  {
    name: "Wrong passwords",
    purpose: "Their number for an address",
    kept: "until the next right one; 30 days where there is no account",
  },
  { name: "Contact message", purpose: "What you wrote, and from where", kept: "until we delete it" },
  { name: "Mail record", purpose: "Recipient, subject, whether it was sent", kept: "30 days" },
  {
    name: "Activity log",
    purpose: "What was done, e-mail address, IP address, user agent",
    kept: "for ever, or until we set a period or remove older entries; longer than the account",
  },
  {
    name: "Speed of pages",
    purpose: "Counts by page, if measured at all",
    kept: "10 days by the hour, 90 days by the day",
  },
  { name: "Suspicious request", purpose: "What the firewall keeps, if it is on", kept: "7 days" },
  { name: "Server log", purpose: "Requests with IP address", kept: "as long as the operator sets" },
];

/** Privacy policy: what an installation of Atrium stores about people, as it is delivered. */
export const privacy: LegalDocument = {
  path: "/privacy",
  lead: "What this site knows about you, why, for how long, and how to see it, take it with you or have it deleted.",
  sections: [
    {
      id: "controller",
      title: "Who is responsible",
      blocks: [
        "Whoever runs this installation decides what happens with your data and is its controller, called \u201cwe\u201d below. All of it lies on machines that we run or rent. The makers of the software receive nothing.",
      ],
    },
    {
      id: "summary",
      title: "The short version",
      blocks: [
        {
          list: [
            "Reading the public pages needs no account and sets no cookie.",
            "An account stores what is needed to let you in, and nobody else.",
            "What is done with accounts is written into an activity log, with e-mail address, IP address and browser. It stays when an account is deleted.",
            "There is no advertising and no tracking, and nothing is sold. We may measure how fast pages are: without cookies, and without anything that tells one visitor from another.",
            "You can download your data and delete your account yourself, at any time; the activity log is apart.",
          ],
        },
      ],
    },
    {
      id: "account",
      title: "Your account",
      blocks: [
        "We store your name, your e-mail address, when it was confirmed, when the account was made and changed, your role, and whether the account is disabled. Of your password only a hash (argon2id) is kept, from which it cannot be read back. We need this to fulfil our agreement with you.",
        "A registration that is not confirmed is kept apart until its link ends.",
      ],
    },
    {
      id: "sessions",
      title: "Sessions and devices",
      blocks: [
        "For each browser in which you are signed in, we store the IP address and the description that the browser gives of itself (user agent), and when the session began, was last used and ends. You see these on your account page and can end them there. A second, longer-lived mark recognises a browser that you used before, so that strangers who guess passwords cannot lock you out.",
        "Wrong passwords are counted for each address and each IP address, so that guessing ends. We have a legitimate interest in keeping accounts safe.",
      ],
    },
    {
      id: "contact",
      title: "Messages to us",
      blocks: [
        "What you send through the contact form is stored: name, e-mail address, subject and message, with the IP address and user agent that it came from and, if you were signed in, your account. Our administrators read it to answer you, and it may be mailed to them.",
      ],
    },
    {
      id: "mail",
      title: "E-mails to you",
      blocks: [
        "We send mails about your account alone: to confirm an address, to set a new password, and to warn you of sign-ins and changes. They pass through our mail server and yours. A mail\u2019s text waits encrypted and is wiped once it was sent; its recipient and subject are kept for a while to find faults.",
      ],
    },
    {
      id: "logs",
      title: "Server logs",
      blocks: [
        "Each request is logged with its time, the kind of page or call, the answer\u2019s status, the IP address, the user agent and, if you are signed in, the number of your account. Secrets in addresses are left out. We use the logs to find faults and attacks.",
      ],
    },
    {
      id: "activity",
      title: "The activity log",
      blocks: [
        "These are written into a log that only our administrators see: sign-ins, also those that failed; registrations and changes of accounts; that a contact message was sent, and its subject; calls of signed-in people that change something; calls that were refused, and limits that were reached; what administrators do. Each entry holds the time, what was done and how it went, and where they are known the e-mail address, the number of the account, the IP address and the user agent. Of a sign-in that failed it holds what was typed as the address, never as the password.",
        "With the log we find misuse and can prove what was done, in which we have a legitimate interest. So nobody can change an entry, and it stays when the account is deleted. As the software is delivered the log is kept for ever; it ends sooner once we set a period or remove older entries. It also tells of others, and is therefore not in the file that you can download: write to us to learn what it holds about you, or to object.",
      ],
    },
    {
      id: "measuring",
      title: "How fast pages are",
      blocks: [
        "The software comes with an extension that measures this, switched off until we switch it on. Then your browser notes how long a page took to show, to answer and to come to rest, and which page you went to next, and sends it when the page goes out of sight. Stored are only counts, by page: no cookie, no IP address and nothing else that tells you from others. Browsers that send \u201cDo Not Track\u201d or \u201cGlobal Privacy Control\u201d are left out.",
      ],
    },
    {
      id: "attacks",
      title: "Requests that look like an attack",
      blocks: [
        "The software also comes with a firewall, switched off until we switch it on. Of requests that something speaks against it keeps the IP address and the country that it stands for, the user agent, what was asked for and, if you are signed in, your name and the number of your account. Secrets are left out. IP addresses that are to be kept out stand on its list until their time is over or we take them off. Here, too, we have a legitimate interest in keeping the site safe.",
      ],
    },
    {
      id: "providers",
      title: "Google and GitHub",
      blocks: [
        "Only if you choose to sign in with one of them, your browser goes there, and they learn that you use this site. They tell us your name, your e-mail address and whether it is verified, and a number that stands for you, which we store. We keep no access to your account there.",
      ],
    },
    {
      id: "picture",
      title: "The picture on your dashboard",
      blocks: [
        "The dashboard shows the picture that belongs to your e-mail address at Gravatar. For that your own browser asks gravatar.com, which thereby sees your IP address and a hash of your e-mail address. No other page does this, and nothing else on this site is loaded from elsewhere.",
      ],
    },
    {
      id: "storage",
      title: "Cookies and local storage",
      blocks: [
        "We use only what the site needs to work. Each cookie and each stored setting is listed in the cookie policy.",
      ],
    },
    { id: "retention", title: "How long data is kept", blocks: [{ entries: privacyRetention }] },
    {
      id: "rights",
      title: "Your rights",
      blocks: [
        "On your account page you can correct your name, download your data as a file, and delete your account. With the account go its sessions, devices and connections; messages that you sent stay with the name and address that you typed into them, and so does the activity log. For everything else, such as access to a message or to the activity log, an objection or a restriction, write to us.",
        "You may also complain to the data protection authority of the place where you live.",
      ],
    },
    {
      id: "safety",
      title: "How data is protected",
      blocks: [
        "Outside the operator\u2019s own machine the site is served over encrypted connections only. Session marks and mailed links are stored as hashes, so that a copy of the database opens no account. Stored secrets are encrypted with a key that lies outside the database.",
      ],
    },
    {
      id: "changes",
      title: "Changes and questions",
      blocks: [
        "The text on this page is the one that applies today. If we begin to use your data for something new, we tell you first. Questions about your data reach us through the contact page.",
      ],
    },
  ],
};
