"""Writes lines of visitors: visitors.py COUNT"""
import random
import sys

random.seed(1)
for number in range(int(sys.argv[1])):
    country = random.choice(["de", "at", "ch", "fr", "us"])
    plan = random.choice(["insider-plus", "free", "pro"])
    path = random.choice(["/checkout/1", "/products/7", "/"])
    print(
        f'{{"visitorId":"visitor-{number}","attributes":{{"orders":{random.randrange(6)},"shipping_country":"{country}",'
        f'"email":"u{number}@mail.example","plan":"{plan}","customer_id":"c{number}"}},'
        f'"locationProperties":{{"path":"{path}"}}}}'
    )
