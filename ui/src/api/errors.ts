// What a request can end with, as values. FOLIO answers a refusal as {errors: [{message, code,
// parameters}]}, and faults as plain text.
import type { LoanItem } from './types'

export interface FolioError {
  message: string
  code?: string
  parameters: { key: string; value?: string }[]
  overridableBlock?: { name: string; missingPermissions?: string[] }
}

export type Failure =
  /** `item` is what Octavo's desk adds: the item that was scanned. */
  | { kind: 'refused'; status: number; errors: FolioError[]; item?: LoanItem }
  | { kind: 'fault'; status: number; text: string; requestId?: string }
  /** The session is over; the person has to log in again. */
  | { kind: 'expired' }
  | { kind: 'forbidden'; permission?: string }
  | { kind: 'conflict'; text: string }
  /** No answer at all: server away, network down, time-out. */
  | { kind: 'unreachable' }

export class ApiFailure extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.kind)
    this.failure = failure
  }
}

export const failureOf = (error: unknown): Failure =>
  error instanceof ApiFailure ? error.failure : { kind: 'fault', status: 0, text: String(error) }

/** The server's own words, for "Details". */
export function detailOf(failure: Failure): string {
  switch (failure.kind) {
    case 'refused':
      return failure.errors.map((error) => error.message).join(' ')
    case 'fault':
      return [failure.text, failure.requestId].filter(Boolean).join(' · ')
    case 'conflict':
      return failure.text
    case 'forbidden':
      return failure.permission ?? ''
    default:
      return ''
  }
}

export function failureFrom(
  status: number,
  text: string,
  type: string,
  requestId?: string,
): Failure {
  if (status === 401) return { kind: 'expired' }
  // Without cookie and tenant the server cannot say that a session is over.
  if (status === 400 && /Tenant must be set/.test(text)) return { kind: 'expired' }
  if (status === 403)
    return { kind: 'forbidden', permission: /requires permission: (\S+)/i.exec(text)?.[1] }
  if (status === 409) return { kind: 'conflict', text }
  if (type.includes('json')) {
    try {
      const body = JSON.parse(text) as { errors?: unknown; item?: LoanItem }
      if (Array.isArray(body.errors)) {
        const { item } = body
        return { kind: 'refused', status, errors: body.errors.map(folioError), item }
      }
    } catch {
      // Not the list after all: it is shown as text.
    }
  }
  return { kind: 'fault', status, text: text.slice(0, 2000), requestId }
}

function folioError(value: unknown): FolioError {
  const found = (value ?? {}) as Partial<FolioError>
  return {
    message: String(found.message ?? ''),
    code: found.code,
    parameters: Array.isArray(found.parameters) ? found.parameters : [],
    overridableBlock: found.overridableBlock,
  }
}
