import { describeError } from '../../core/describe-error.ts'

/** A schema of zod, valibot, arktype or any other library that follows Standard Schema (standardschema.dev), version 1. */
export interface ToolSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>
  }
}

/** The value as the schema returns it, or what is wrong with it. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] }

export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** How many issues a model is told of. */
const issuesMax = 10

/** The arguments as the schema returns them, or a sentence that says why they do not fit. */
export async function validateInput(
  schema: ToolSchema,
  input: unknown,
): Promise<{ readonly input: unknown } | { readonly problem: string }> {
  try {
    const result = await schema['~standard'].validate(input)
    if (!result.issues) return { input: result.value }
    const told = result.issues.slice(0, issuesMax).map(describeIssue)
    const rest = result.issues.length - told.length
    return {
      problem: `The arguments do not fit the schema of the tool: ${told.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`,
    }
  } catch (error) {
    return { problem: `The arguments could not be validated: ${describeError(error)}.` }
  }
}

const describeIssue = ({ message, path = [] }: SchemaIssue): string =>
  path.length === 0
    ? message
    : `${path.map(step => String(typeof step === 'object' ? step.key : step)).join('.')}: ${message}`
