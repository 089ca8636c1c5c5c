import { AssistantsSection } from "./assistants-section.tsx";
import { ClosingSection } from "./closing-section.tsx";
import { FeatureGrid } from "./feature-grid.tsx";
import { HeroSection } from "./hero-section.tsx";

/** Landing page: the product itself, what it does, the way in for those who are not in yet, and the way to us. */
export const HomePage = () => (
  <>
    <HeroSection />
    <FeatureGrid />
    <AssistantsSection />
    <ClosingSection />
  </>
);
