/** The GraphQL editor, in a frame of its own because it brings its own styles and keys. */
import { Heading } from "../parts/heading.tsx";

export function GraphQlPage() {
  return (
    <>
      <Heading title="GraphQL" />
      <iframe class="editor" src="/graphiql/editor" title="GraphQL editor" />
    </>
  );
}
