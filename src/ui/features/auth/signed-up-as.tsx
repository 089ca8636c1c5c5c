import { Link } from "wouter";
import { Alert } from "#ui/components/ui/alert.tsx";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { authScreenTexts as texts } from "./texts.ts";

/**
 * Whose registration a link completed, and the way to another password, whose token this tab keeps: on a shared computer it
 * may have been somebody else's.
 */
export const SignedUpAs = ({ name }: { name: string }) => (
  <Alert
    severity="info"
    title={texts.signedUpAs(name)}
    className="wrap-anywhere"
    actions={
      <Link href="/reset-password" className={buttonVariants({ variant: "outline", size: "sm" })}>
        {texts.chooseAnother}
      </Link>
    }
  />
);
