import { ArrowRight } from "lucide-react";
import { Link } from "wouter";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { useSession } from "#ui/lib/session.ts";
import { notFoundTexts as texts } from "./texts.ts";

/** What stands at unknown addresses: says so and helps users find their way. */
export const NotFoundPage = () => {
  const { user } = useSession();
  const places = user === null ? texts.visitorPlaces : texts.memberPlaces;
  return (
    <div className="mx-auto grid w-full max-w-[36rem] px-4 py-16 sm:px-6 sm:py-24">
      <p aria-hidden="true" className="font-mono text-sm text-primary">
        404
      </p>
      <h1 className="mt-3 font-semibold text-3xl tracking-[-0.025em]">{texts.title}</h1>
      <p className="mt-4 text-pretty text-base text-muted-foreground">{texts.lead}</p>
      <div className="mt-7">
        <Link href="/" className={buttonVariants({ size: "lg", className: "max-sm:w-full" })}>
          {texts.home}
        </Link>
      </div>
      <h2 className="mt-14 font-medium text-sm">{texts.elsewhere}</h2>
      <ul className="mt-3 divide-y divide-border rounded-lg border border-border bg-card">
        {places.map(({ href, label, note }) => (
          <li key={href} data-unless={href === "/register" ? "closed" : undefined}>
            <Link
              href={href}
              className="group flex min-h-14 items-center gap-4 px-4 py-2.5 outline-none focus-visible:ring-2 focus-visible:ring-ring focus-visible:ring-inset"
            >
              <span className="grow">
                <span className="block font-medium text-sm group-hover:underline">{label}</span>
                <span className="block text-muted-foreground text-[0.8125rem]">{note}</span>
              </span>
              <ArrowRight aria-hidden="true" className="size-4 text-muted-foreground" />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
};
