// DuelTest in JavaScript, complete: a start for an implementation of yours. Play it by
//     tgite conform --program "node mine.js"
// To go on, add names to `algorithms` and a generator for each; `yield*` calls one within another.
const lines = require("readline").createInterface({ input: process.stdin });
let run;

const PI2_OVER_6 = Math.PI ** 2 / 6;

function* duelTest(u, v, delta) {
  const logInverse = logOfInverse(delta);
  for (let n = 1, wins = 0; ; n++) {
    wins += yield { type: "duel", arms: [u, v] };
    const radius = Math.sqrt((Math.log(2 * n * (n + 1)) + logInverse) / (2 * n));
    if (Math.abs(wins / n - 0.5) > radius) return 2 * wins > n ? u : v;
  }
}

function logOfBigInt(x) { // whole numbers beyond the largest float
  const shift = BigInt(Math.max(0, x.toString(2).length - 64));
  return Math.log(Number(x >> shift)) + Number(shift) * Math.LN2;
}

function logOfInverse(level) { // "1/10", "2^-1024" or "1/40 * 6/pi^2"
  const [rational, factor] = level.split(" * ");
  let above = 1n, below;
  if (rational.startsWith("2^-")) below = 2n ** BigInt(rational.slice(3));
  else [above, below] = (rational + "/1").split("/").map((text) => BigInt(text));
  // 6/pi^2 times a level must be below 1; 41 digits of pi^2/6 decide that.
  const [most, scale] = factor ? [164493406684822643647241516664602518921895n, 10n ** 41n] : [1n, 1n];
  if (!(0n < above && above * scale < most * below)) throw new RangeError(`delta = ${level}`);
  return logOfBigInt(below) - logOfBigInt(above) + (factor ? Math.log(PI2_OVER_6) : 0);
}

function next(told) {
  const { value, done } = run.next(told);
  return done ? { type: "result", arm: value } : value;
}

function answer(message) {
  if (message.type === "hello") {
    return { type: "hello", protocol: 1, name: "mine", algorithms: ["duel_test"], modes: ["duel"],
             conventions: { first_arm: [0] } };
  }
  if (message.type === "outcome") return next(message.first_wins ? 1 : 0);
  if (message.type !== "start") return; // stop, and bye before the input ends
  const { delta } = message.parameters, [u, v] = [message.parameters.u, message.parameters.v].map(BigInt);
  try {
    if (u === v || u < 0n || v < 0n) throw new RangeError(`arms ${u} and ${v}`);
    run = duelTest(u, v, delta);
    return next();
  } catch (error) {
    return { type: "refusal", message: String(error.message) };
  }
}

lines.on("line", (line) => {
  // Arms may be beyond 2^53: they are read as text, and written without the quotes.
  const reply = answer(JSON.parse(line.replace(/(?<="[uv]":)-?\d+/g, '"$&"')));
  const text = JSON.stringify(reply, (_, value) => (typeof value === "bigint" ? `${value}n` : value));
  if (reply) console.log(text.replace(/"(-?\d+)n"/g, "$1"));
});
