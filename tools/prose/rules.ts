/** What the prose check reads, and how long sentences may be. The words: terms.ts, wording.ts and nouns.ts. */
export const limits = { wordsPerSentence: 35, averageWordsPerSentence: 16, semicolonsPerSentence: 1 };

/** Never checked: lock files, and the files that list the refused words. */
export const skippedFiles =
  /^((.*\/)?package-lock\.json|tools\/prose\/(terms|wording|nouns)\.ts|test\/source\/(prose|terms)\.test\.ts)$/;

/** Former terms are right here. The search corpus is data: other words would change what the bench measures. */
export const filesWithFormerTerms = /^(CHANGELOG\.md|LICENSE|bench\/search\/corpus\.ts)$/;
