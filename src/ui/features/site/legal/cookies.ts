import type { LegalDocument } from "./legal-document.ts";

/** Cookie policy: everything that the product leaves in a browser. */
export const cookies: LegalDocument = {
  path: "/cookies",
  lead: "Everything this site stores in your browser. The list is complete, and short.",
  sections: [
    {
      id: "what",
      title: "What cookies are",
      blocks: [
        "A cookie is a small piece of text that a site asks your browser to store and send back. Local storage is stored the same way but never sent: only this site's pages, in this browser, can read it.",
      ],
    },
    {
      id: "list",
      title: "Cookies on this site",
      blocks: [
        "Visitors get none. These cookies are set when you sign up or sign in:",
        {
          entries: [
            {
              name: "sid",
              purpose: "Your session. Keeps you signed in from one page to the next.",
              kept: "until you sign out, 30 days after its last use, or 180 days after signing in; for administrators after 30 minutes without use or 12 hours, unless we set other times",
            },
            {
              name: "device",
              purpose:
                "Recognizes a browser you have signed in with before. It lets you sign in while someone else is guessing your password. When someone signs in without it, we email you.",
              kept: "1 year",
            },
            {
              name: "pending",
              purpose:
                "Set when you sign up. Makes sure the password you entered is used only if you open the emailed link in this browser.",
              kept: "24 hours, or until you have confirmed your email address",
            },
            {
              name: "oauth",
              purpose:
                "Set when you sign in with Google, GitHub or another provider. Makes sure the response comes back to the browser that started the sign-in.",
              kept: "10 minutes",
            },
            {
              name: "step",
              purpose:
                "Set when you sign in with two-factor authentication. Keeps the first step until you have entered your code.",
              kept: "10 minutes, or until you are signed in",
            },
          ],
        },
        "Each cookie holds only a random or encrypted value. Scripts can't read them, and other sites can't use them to act on your behalf. Over HTTPS, their names start with __Host-, which ties them to this exact domain.",
      ],
    },
    {
      id: "storage",
      title: "Settings in local storage",
      blocks: [
        "A page opened from an emailed link also stores the link\u2019s token for its tab so that you can reload the page. It is removed when the token is used or the tab is closed.",
        {
          entries: [
            {
              name: "theme-mode",
              purpose: "Your theme: light, dark or the system setting. Stored when you choose one.",
              kept: "until you clear it",
            },
            {
              name: "sidebar",
              purpose: "Whether the admin menu is collapsed. Stored when you collapse it.",
              kept: "until you clear it",
            },
          ],
        },
      ],
    },
    {
      id: "consent",
      title: "Why there is no cookie banner",
      blocks: [
        "All of these do something you asked for: sign you in, keep you signed in or remember a choice. None of them tracks you, here or elsewhere, so we don't need to ask for your consent.",
      ],
    },
    {
      id: "others",
      title: "Third-party cookies",
      blocks: [
        "There are none on our pages. Signing in with Google, GitHub or another provider takes you to their pages, where their policies apply. The dashboard loads your picture from gravatar.com without sending any of our cookies.",
      ],
    },
    {
      id: "control",
      title: "How to remove cookies",
      blocks: [
        "Signing out removes the session cookie. To remove everything else, clear this site\u2019s data in your browser\u2019s settings. You can also block cookies there: the public pages still work, but you can\u2019t sign in.",
      ],
    },
    {
      id: "questions",
      title: "Questions",
      blocks: [
        "The privacy policy explains what happens to the data behind these cookies. For any other question, use the contact page.",
      ],
    },
  ],
};
