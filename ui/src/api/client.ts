// Requests to the server. Cookies authenticate; no token is ever seen by a script. A session that has
// expired is refreshed once, for all waiting requests together; when that fails, requests wait until
// the person has logged in again, and are then sent again.
import { connection, isAnswer } from './connection'
import { takeEarly } from './early'
import { ApiFailure, failureFrom } from './errors'
import { session } from './session'

const TIMEOUT_MS = 30_000

export interface Options {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH'
  body?: unknown
  query?: Record<string, string | number | boolean | undefined>
  signal?: AbortSignal
  headers?: Record<string, string>
  /** Fail with `expired` at once instead of waiting for the person to log in. */
  impatient?: boolean
}

export async function request<T>(path: string, options: Options = {}): Promise<T> {
  if (!options.impatient) await session.ready(options.signal)
  const first = await send(path, options)
  if (first.status !== 401 || options.impatient) return parsed<T>(first)
  await session.renew(options.signal)
  return parsed<T>(await send(path, options))
}

async function send(
  path: string,
  { method = 'GET', body, query, signal, headers }: Options,
): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const url = withQuery(path, query)
    const early = method === 'GET' ? takeEarly(url) : undefined
    const response = await (early ??
      fetch(url, {
        method,
        credentials: 'same-origin',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        headers: {
          Accept: 'application/json, text/plain',
          // Tells the server that this is no form of another site.
          'X-Requested-With': 'octavo',
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          // Before the first log-in nothing else names the tenant.
          ...session.tenantHeader(),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      }))
    if (!isAnswer(response)) throw new Error(`${response.status} of a proxy`)
    connection.found()
    return response
  } catch (error) {
    if (signal?.aborted) throw error
    connection.lost()
    throw new ApiFailure({ kind: 'unreachable' })
  }
}

async function parsed<T>(response: Response): Promise<T> {
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  if (!response.ok) {
    const id = response.headers.get('x-okapi-request-id') ?? undefined
    throw new ApiFailure(failureFrom(response.status, text, type, id))
  }
  return (text && type.includes('json') ? JSON.parse(text) : undefined) as T
}

export function withQuery(path: string, query: Options['query'] = {}): string {
  const parts = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`)
  return parts.length ? `${path}?${parts.join('&')}` : path
}

export const get = <T>(path: string, query?: Options['query'], signal?: AbortSignal) =>
  request<T>(path, { query, signal })
export const post = <T>(path: string, body: unknown) => request<T>(path, { method: 'POST', body })
export const put = <T>(path: string, body: unknown) => request<T>(path, { method: 'PUT', body })
export const remove = <T>(path: string) => request<T>(path, { method: 'DELETE' })
