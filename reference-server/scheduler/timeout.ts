/** True if the work succeeds within `ms` of real time. */
export function succeedsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, ms, false);
    const end = (succeeded: boolean) => {
      clearTimeout(late);
      resolve(succeeded);
    };
    work.then(
      () => end(true),
      () => end(false),
    );
  });
}
