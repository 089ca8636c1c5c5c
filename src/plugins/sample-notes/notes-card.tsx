import { Link } from "wouter";
import { buttonVariants, Card, useLoad } from "#app/ui";
import { client } from "./client.ts";

/** How many notes a member has, on the dashboard. */
export const NotesCard = () => {
  const { data } = useLoad(loadTotal);
  return (
    <Card className="flex flex-wrap items-center gap-4 p-5 sm:p-6">
      <div className="grow basis-52">
        <h2 className="font-medium text-sm">Notes</h2>
        <p className="text-muted-foreground text-[0.8125rem]">{data === null ? "…" : `You have ${data}.`}</p>
      </div>
      <Link href="/sample-notes" className={buttonVariants({ variant: "outline" })}>
        Open notes
      </Link>
    </Card>
  );
};

const loadTotal = async () => (await client.list({ limit: 1 })).data.total;
