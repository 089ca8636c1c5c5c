import { withBodySizes } from "./body-sizes.ts";
import type { DescribedDocument } from "./described.ts";
import { withExamples } from "./examples.ts";
import { withParameterWords } from "./parameters.ts";
import { withTextAnswers } from "./text-answers.ts";

/**
 * The document with what routes leave unsaid: meanings and limits of parameters, sizes of bodies, schemas of texts, and
 * examples of what is sent and answered.
 */
export const completeDocument = <Document extends DescribedDocument>(document: Document): Document =>
  withExamples(withTextAnswers(withBodySizes(withParameterWords(document))));
