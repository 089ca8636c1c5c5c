import { useSession } from "#ui/lib/session.ts";
import { AssistantsSection } from "./assistants-section.tsx";
import { ClosingSection } from "./closing-section.tsx";
import { FeatureGrid } from "./feature-grid.tsx";
import { HeroSection } from "./hero-section.tsx";

/** Landing page: the product itself, what it does, and the way in for those who are not in yet. */
export const HomePage = () => {
  const { user } = useSession();
  return (
    <>
      <HeroSection />
      <FeatureGrid />
      <AssistantsSection />
      {user === null && <ClosingSection />}
    </>
  );
};
