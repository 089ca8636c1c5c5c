import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import { Link } from "wouter";
import { Badge } from "#ui/components/ui/badge.tsx";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { Card, CardHeader, CardTitle } from "#ui/components/ui/card.tsx";
import { cn } from "#ui/lib/cn.ts";
import type { Overview } from "./api.ts";
import { attentionItems } from "./attention.ts";
import { overviewTexts as texts } from "./texts.ts";

/** What needs attention with its remedy, or that nothing does. */
export const AttentionList = ({ overview }: { overview: Overview }) => {
  const items = attentionItems(overview);
  if (items.length === 0) return <AllRight />;
  return (
    <Card aria-label={texts.attention}>
      <CardHeader>
        <CardTitle>{texts.attention}</CardTitle>
        <Badge>{items.length}</Badge>
      </CardHeader>
      <ul className="divide-y divide-border border-border border-t">
        {items.map(({ tone, title, remedy, link }) => {
          const { Icon, tint } = looks[tone];
          return (
            <li key={`${title} ${link?.href}`} className="flex gap-3 px-5 py-3">
              <Icon aria-hidden="true" className={cn("mt-0.5 size-4 shrink-0", tint)} />
              <div className="flex min-w-0 grow flex-wrap items-center justify-between gap-x-4 gap-y-2">
                <div className="min-w-48 grow basis-0">
                  <p className="font-medium text-sm">{title}</p>
                  <p className="text-pretty text-muted-foreground text-[0.8125rem]">{remedy}</p>
                </div>
                {link !== undefined && (
                  <Link href={link.href} className={buttonVariants({ variant: "outline", size: "sm" })}>
                    {link.label}
                  </Link>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </Card>
  );
};

const AllRight = () => (
  <Card className="flex items-center gap-3 px-5 py-4">
    <CircleCheck aria-hidden="true" className="size-5 shrink-0 text-success" />
    <div>
      <p className="font-medium text-sm">{texts.allRight}</p>
      <p className="text-muted-foreground text-[0.8125rem]">{texts.allRightText}</p>
    </div>
  </Card>
);

const looks = {
  error: { Icon: CircleAlert, tint: "text-destructive" },
  warning: { Icon: TriangleAlert, tint: "text-warning" },
  info: { Icon: Info, tint: "text-info" },
} as const;
