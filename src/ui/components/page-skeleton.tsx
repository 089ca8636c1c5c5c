/** The rough shape of a page, for what is in its place while it is on its way. */
export type PageSkeletonShape = "article" | "form" | "profile" | "cards" | "table" | "settings";

const bar = "rounded-md bg-muted";

/** Grey shapes where a page will be; they come in only after 200 ms. */
export const PageSkeleton = ({ shape }: { shape: PageSkeletonShape }) => (
  <div role="status" aria-busy="true" className="appear-late">
    <span className="sr-only">Loading…</span>
    <div aria-hidden="true" className="motion-safe:animate-pulse">
      {shapes[shape]()}
    </div>
  </div>
);

const Article = () => (
  <div className="mx-auto grid w-full max-w-[70rem] gap-4 px-4 py-12 sm:px-6">
    <div className={`${bar} h-10 w-2/3`} />
    <div className={`${bar} h-5 w-full`} />
    <div className={`${bar} h-5 w-5/6`} />
  </div>
);

const Form = () => (
  <div className="mx-auto grid w-full max-w-[26rem] gap-4 px-4 py-16">
    <div className={`${bar} mx-auto h-8 w-40`} />
    <div className="h-80 rounded-xl border bg-card" />
  </div>
);

const Profile = () => (
  <div className="mx-auto grid w-full max-w-[44rem] gap-6 px-4 py-10 sm:px-6 sm:py-14">
    <div className="grid gap-2">
      <div className={`${bar} h-8 w-48`} />
      <div className={`${bar} h-4 w-40`} />
    </div>
    <div className="h-[26rem] rounded-lg border bg-card p-6 sm:h-56">
      <div className="size-20 rounded-full bg-muted" />
    </div>
    <div className="h-44 rounded-lg border bg-card sm:h-24" />
  </div>
);

const Cards = () => (
  <div className="grid gap-6">
    <PageTitle />
    <CardsSkeleton />
  </div>
);

/** What stands under a page's title while its cards are on their way: a banner, a list, six tiles, a chart, two columns. */
export const CardsSkeleton = () => (
  <div aria-hidden="true" aria-busy="true" className="grid gap-6 motion-safe:animate-pulse">
    <div className="h-[5.625rem] rounded-md border bg-card sm:h-[4.375rem]" />
    <div className="h-52 rounded-lg border bg-card lg:h-[9.75rem]" />
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-3">
      {["a", "b", "c", "d", "e", "f"].map((key) => (
        <div key={key} className="h-38 rounded-lg border bg-card sm:h-[8.25rem]" />
      ))}
    </div>
    <div className="h-43 rounded-lg border bg-card" />
    <div className="grid gap-3 lg:grid-cols-2">
      <div className="h-62 rounded-lg border bg-card" />
      <div className="h-62 rounded-lg border bg-card" />
    </div>
  </div>
);

const Settings = () => (
  <div className="grid gap-6">
    <PageTitle />
    <SettingsSkeleton />
  </div>
);

/** What stands under the settings' title while they are on their way: the first sections, each a card. */
export const SettingsSkeleton = () => (
  <div aria-hidden="true" className="grid max-w-[44rem] grid-cols-1 gap-6">
    {["h-84", "h-126", "h-20", "h-140"].map((height) => (
      <div
        key={height}
        className={`${height} grid grid-cols-1 content-start gap-4 rounded-lg border bg-card p-5`}
      >
        <div className={`${bar} h-5 w-48`} />
        <div className={`${bar} h-4 w-72 max-w-full`} />
      </div>
    ))}
  </div>
);

const PageTitle = () => (
  <div className="grid h-12 content-between">
    <div className={`${bar} h-6 w-40`} />
    <div className={`${bar} h-4 w-56`} />
  </div>
);

const Table = () => (
  <div className="grid gap-6">
    <PageTitle />
    <div className={`${bar} h-[4.5rem] max-w-sm md:h-16`} />
    <div className="divide-y rounded-lg border bg-card">
      {["a", "b", "c", "d", "e", "f"].map((key) => (
        <div key={key} className="flex h-10 items-center gap-6 px-4">
          <div className={`${bar} h-4 w-1/4`} />
          <div className={`${bar} h-4 w-1/3`} />
        </div>
      ))}
    </div>
  </div>
);

const shapes = {
  article: Article,
  form: Form,
  profile: Profile,
  cards: Cards,
  table: Table,
  settings: Settings,
};
