import type { LegalDocument } from "./legal-document.ts";

/** Terms of service, for a site that runs Atrium as it is delivered. */
export const terms: LegalDocument = {
  path: "/terms",
  lead: "The rules for using this site and for having an account on it, in words that can be read.",
  sections: [
    {
      id: "scope",
      title: "What these terms cover",
      blocks: [
        "This site runs Atrium, a starter application with visitor pages, accounts and an area for administrators. These terms are an agreement between you and whoever runs this installation, called \u201cwe\u201d below. The people who wrote the software are not part of it.",
        "You may read the public pages without an account. By creating one you agree to these terms; if you do not, please do not create one.",
      ],
    },
    {
      id: "account",
      title: "Your account",
      blocks: [
        "An account needs a name, an e-mail address that you can read, and a password or a sign-in with Google or GitHub. Unless Google or GitHub vouches for the address, it has to be confirmed through a mailed link before you can sign in.",
        {
          list: [
            "Use an address that is yours and that will stay yours: it is the way back in when a password is lost.",
            "Keep your password to yourself. What is done with your account counts as done by you until you tell us that somebody else has it.",
            "If you think that somebody has got in, change the password and end the other sessions on your account page. Setting a new password through \u201cforgot password\u201d ends all of them at once.",
          ],
        },
      ],
    },
    {
      id: "social-sign-in",
      title: "Signing in with Google or GitHub",
      blocks: [
        "Where we offer it, you may sign in with an account that you have there. Their terms apply to that account. You can connect and disconnect it on your account page, as long as one way to sign in remains.",
      ],
    },
    {
      id: "fair-use",
      title: "What is not allowed",
      blocks: [
        "Please do not:",
        {
          list: [
            "try to get into accounts or areas that are not yours, or to find out who has an account here;",
            "send more requests than a person or a well-behaved program would, or get around the limits that are there to stop this;",
            "use the contact form for advertising, or send anything through it that is against the law or meant to do harm;",
            "pretend to be somebody else.",
          ],
        },
        "Looking for weaknesses in an installation of your own is welcome. On this one, ask first.",
      ],
    },
    {
      id: "your-content",
      title: "What you send us",
      blocks: [
        "What you write to us remains yours. You allow us to store and read it, and to answer it. Nothing of it is published.",
      ],
    },
    {
      id: "availability",
      title: "Availability",
      blocks: [
        "We try to keep the site running and your data safe, but we do not promise that it is always there, that it is free of mistakes, or that it will stay as it is. Parts may change or end. When something that you rely on goes, we say so beforehand where we can.",
      ],
    },
    {
      id: "ending",
      title: "Ending an account",
      blocks: [
        "You can delete your account at any time on your account page; the last administrator of an installation has to name another first. What is deleted with it stands in the privacy policy.",
        "We may disable an account that breaks these terms or endangers others. Its sessions end at once. Write to us if you think that this was a mistake.",
      ],
    },
    {
      id: "liability",
      title: "Liability",
      blocks: [
        "The site is offered as it is. Where the law lets us, we are not liable for losses that follow from using it or from not being able to use it. Nothing here limits a liability that the law does not let us limit, such as for intent or for harm to people.",
      ],
    },
    {
      id: "licence",
      title: "The software",
      blocks: [
        "Atrium itself is free software under the MIT licence: you may run, change and pass on copies of your own. That licence covers the software. It gives nobody a right to this installation, its name or its data.",
      ],
    },
    {
      id: "changes",
      title: "Changes to these terms",
      blocks: [
        "We may change these terms. The text on this page is the one that applies today. When a change takes something from you, we tell people with an account before it counts; who does not agree may delete the account.",
      ],
    },
    {
      id: "questions",
      title: "Law and questions",
      blocks: [
        "The law of the place where the operator of this site is established applies, and with it the rights that the law of your own country gives you as a consumer. Questions about these terms reach us through the contact page.",
      ],
    },
  ],
};
