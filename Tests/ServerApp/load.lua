-- The load of `run`: visitors who decide, ask for a feature or convert, each request with a visitor of its own.
--
--     wrk -s load.lua URL -- FOLDER ROUND
--
-- Writes the conversions that were answered as accepted to FOLDER/answered-ROUND-THREAD, a line each, and prints
-- figures.

local threads = {}

function setup(thread)
   table.insert(threads, thread)
   thread:set("number", #threads)
end

function init(args)
   round = args[2]
   count, refused = 0, 0
   answered = assert(io.open(string.format("%s/answered-%s-%d", args[1], round, number), "w"))
end

function request()
   count = count + 1
   local query = string.format("?visitor=%s-%d-%d&customer_id=7&plan=insider", round, number, count)
   local kind = count % 4
   if kind == 0 then
      return wrk.format("GET", "/decide/one-page-checkout" .. query .. "&orders=3&location.path=%2Fcheckout")
   elseif kind == 1 then
      return wrk.format("GET", "/feature/checkout-form" .. query .. "&orders=3&location.path=%2Fcheckout")
   elseif kind == 2 then
      return wrk.format("POST", "/track/order-placed" .. query .. "&revenue=49.9")
   else
      return wrk.format("POST", "/track/review-written" .. query)
   end
end

function response(status, _, body)
   if status < 200 or status > 299 then
      refused = refused + 1
   elseif status == 202 then
      answered:write(body:match('"visitor":"([^"]+)"'), "\t", body:match('"goal":"([^"]+)"'), "\n")
   end
end

function done(summary, latency)
   local refused = 0
   for _, thread in ipairs(threads) do refused = refused + thread:get("refused") end
   local errors = summary.errors
   print("requests " .. summary.requests)
   print(string.format("rate %.0f", summary.requests / summary.duration * 1e6))
   print(string.format("median_ms %.1f", latency:percentile(50) / 1e3))
   print(string.format("p99_ms %.1f", latency:percentile(99) / 1e3))
   print("refused " .. refused)
   print("socket_errors " .. errors.connect + errors.read + errors.write + errors.timeout)
end
