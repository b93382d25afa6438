type Method = (...args: never[]) => unknown;

/** Binds the methods of `object` to it, so that `const { send } = client` works. Call it at the end of a constructor. */
export function bindMethods(object: object): void {
  for (let of: object = Object.getPrototypeOf(object) as object; of !== Object.prototype; of = Object.getPrototypeOf(of) as object) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(of)) as [string, PropertyDescriptor][]) {
      if (name === 'constructor' || typeof value !== 'function' || Object.hasOwn(object, name)) continue;
      Object.defineProperty(object, name, { value: (value as Method).bind(object), writable: true, configurable: true });
    }
  }
}
