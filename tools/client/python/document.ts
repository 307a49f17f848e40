/** The parts of docs/openapi.json from which the Python client is generated. */

export type Schema = {
  $ref?: string;
  title?: string;
  type?: string | string[];
  enum?: string[];
  const?: string | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  description?: string;
};

export type Parameter = { name: string; in: string; description?: string; schema: Schema };
type Content = Record<string, { schema: Schema }>;

export type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  deprecated?: boolean;
  security: Record<string, unknown>[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
};

export type Document = {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: { requestBody: { content: Content } } }>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    securitySchemes: Record<string, { scheme?: string }>;
  };
};

export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);
