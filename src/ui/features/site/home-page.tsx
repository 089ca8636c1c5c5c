import { AssistantsSection } from "./assistants-section.tsx";
import { ClosingSection } from "./closing-section.tsx";
import { FeatureGrid } from "./feature-grid.tsx";
import { HeroSection } from "./hero-section.tsx";

/** Landing page: the product itself, what it does, and the way in. */
export const HomePage = () => (
  <>
    <HeroSection />
    <FeatureGrid />
    <AssistantsSection />
    <ClosingSection />
  </>
);
