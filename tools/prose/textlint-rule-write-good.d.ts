/** The package has no types. It is CommonJS, so the rule is the property `default` of what is imported. */
declare module "textlint-rule-write-good" {
  const exported: { default: import("@textlint/types").TextlintRuleModule };
  export default exported;
}
