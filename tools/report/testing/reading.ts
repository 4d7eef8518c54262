import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { XMLParser, XMLValidator } from "fast-xml-parser";

/**
 * Compiles a JSON Schema.
 * @returns a function that returns the errors of a value
 */
export function schemaErrors(schema: object): (value: unknown) => readonly object[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  return (value) => {
    validate(value);
    return validate.errors ?? [];
  };
}

export interface XmlNode {
  readonly [name: string]: unknown;
}

/**
 * Parses XML.
 * @throws if it isn't well-formed
 */
export function parseXml(text: string): XmlNode {
  const validity = XMLValidator.validate(text);
  if (validity !== true) throw new Error(`line ${validity.err.line}: ${validity.err.msg}`);
  return new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "",
    isArray: (name) => name === "testsuite" || name === "testcase",
    parseAttributeValue: false,
    processEntities: true,
  }).parse(text);
}
