// A name and password that belong to one record. They are written, and read only where somebody asks to see them.
import { post, put } from '#/api/client'
import { failureOf } from '#/api/errors'

export interface Secret {
  username?: string
  password?: string
}

/** There is at most one: it is replaced, or made where there is none yet. */
export async function keepSecret(path: string, body: Secret & Record<string, unknown>) {
  try {
    await put(path, body)
  } catch (error) {
    const failure = failureOf(error)
    if (!('status' in failure) || failure.status !== 404) throw error
    await post(path, body)
  }
}
