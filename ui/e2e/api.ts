// The server's API beside the browser, as the administrator: what a test needs is made and read by it.
import {
  type APIRequestContext,
  type APIResponse,
  expect,
  type PlaywrightWorkerArgs,
} from '@playwright/test'
import { PASSWORD, USER } from './person'

export interface Api {
  get: <T>(path: string) => Promise<T>
  post: <T>(path: string, body: unknown) => Promise<T>
  put: (path: string, body: unknown) => Promise<void>
  patch: (path: string, body: unknown) => Promise<void>
  remove: (path: string) => Promise<void>
}

type Playwright = PlaywrightWorkerArgs['playwright']

/** One log-in for all tests of a worker: to check a password costs as much as ten requests. */
const known = new Map<string, Promise<Api>>()

export function apiOf(playwright: Playwright, origin: string, tenant: string): Promise<Api> {
  const key = `${origin} ${tenant}`
  const made = known.get(key) ?? loggedIn(playwright, origin, tenant)
  known.set(key, made)
  return made
}

async function loggedIn(playwright: Playwright, origin: string, tenant: string): Promise<Api> {
  const context = await playwright.request.newContext({
    baseURL: origin,
    extraHTTPHeaders: { 'X-Okapi-Tenant': tenant },
  })
  const login = await context.post('/authn/login', {
    data: { username: USER, password: PASSWORD },
  })
  expect(login.status(), await login.text()).toBe(201)
  return requestsOf(context, login.headers()['x-okapi-token'] ?? '')
}

function requestsOf(context: APIRequestContext, token: string): Api {
  const headers = { 'X-Okapi-Token': token }
  const checked = async (asked: Promise<APIResponse>) => {
    const answer = await asked
    if (!answer.ok()) throw new Error(`${answer.status()} ${answer.url()} ${await answer.text()}`)
    return answer
  }
  return {
    get: async <T>(path: string) =>
      (await (await checked(context.get(path, { headers, maxRetries: 2 }))).json()) as T,
    post: async (path, data) => {
      const answer = await checked(context.post(path, { headers, data: data as object }))
      const text = await answer.text()
      return text ? JSON.parse(text) : undefined
    },
    put: async (path, data) =>
      void (await checked(context.put(path, { headers, data: data as object }))),
    patch: async (path, data) =>
      void (await checked(context.patch(path, { headers, data: data as object }))),
    remove: async (path) => void (await checked(context.delete(path, { headers }))),
  }
}
